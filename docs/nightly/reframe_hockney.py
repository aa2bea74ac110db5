"""ReFrame: the nights of a system, and every node of a job, as regression tests.

    reframe -c docs/nightly/reframe_hockney.py -r                      # both
    reframe -c docs/nightly/reframe_hockney.py -n HockneyEachNode -r
    reframe ... -S HockneyEachNode.num_tasks=8 -S HockneyEachNode.num_tasks_per_node=2   # four nodes

hockney starts MPI by itself, inside of the allocation that ReFrame asks for.
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher


class HockneyNight(rfm.RunOnlyRegressionTest):
    """A night that is measured, added to the history and judged. hockney judges, not a reference of ReFrame."""

    valid_systems = ['*']
    valid_prog_environs = ['*']
    time_limit = '30m'
    executable = 'hockney'
    config = variable(str, value=os.path.join(
        os.environ.get('HOCKNEY_CONFIGS', '/usr/local/share/hockney/configs'), 'nightly.json'))
    history = variable(str, value=os.path.expanduser('~/hockney-history.sqlite'))
    run_options = variable(str, value='')

    @run_before('run')
    def measure_and_check(self):
        self.job.launcher = getlauncher('local')()
        self.prerun_cmds = [
            f'hockney run {self.config} --out night {self.run_options}',
            f'hockney health ingest night --history {self.history}',
            'hockney report night --json > night.json',
        ]
        self.executable_opts = ['health', 'check', '--history', self.history, '-o', 'check.json']

    def document(self, name):
        with open(os.path.join(self.stagedir, name)) as file:
            return json.load(file)

    @sanity_function
    def nothing_is_worse(self):
        # Exit code 1 is a verdict, which the document says better.
        check = self.document('check.json')
        worse = [v['series'] for v in check['verdicts'] if v['verdict'] == 'regressed']
        slow = [node['host'] for node in check['nodes']] + (check['peers'] or {}).get('drain', [])
        void = [finding['fault'] for finding in check['faults']]
        return sn.assert_false(void + worse + slow, msg=check['reason'])

    def log(self, figures):
        """Logs (name, value, unit) as performance variables."""
        def value_of(value, unit):
            return sn.make_performance_function(sn.defer(value), unit)

        self.perf_variables = {name: value_of(value, unit) for name, value, unit in figures}


@rfm.simple_test
class HockneyHealth(HockneyNight):
    descr = 'Latency, bandwidth and limits against the history of this system'

    @run_before('performance')
    def set_performance(self):
        """Every α and β with its unit."""
        self.log((v['series'], v['value'], v['unit']) for v in self.document('check.json')['verdicts']
                 if v['value'] is not None and v['series'].split('/')[-1].startswith(('alpha', 'beta')))


@rfm.simple_test
class HockneyEachNode(HockneyNight):
    descr = 'Every node of the job measures itself at the same time, against its nights and its peers'
    run_options = '--each-node --budget 60s'

    @run_before('performance')
    def set_performance(self):
        """Every figure of the first screen: the median of all nodes."""
        self.log((row['label'], row['value'], row['unit'])
                 for row in self.document('night.json')['summary']['rows'] if row['value'] is not None)
