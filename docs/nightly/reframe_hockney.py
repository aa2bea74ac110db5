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
        ]
        self.executable_opts = ['health', 'check', '--history', self.history, '-o', 'check.json']

    @property
    def check(self):
        with open(os.path.join(self.stagedir, 'check.json')) as file:
            return json.load(file)

    @sanity_function
    def nothing_is_worse(self):
        # Exit code 1 is a verdict, which the document says better.
        check = self.check
        worse = [v['series'] for v in check['verdicts'] if v['verdict'] == 'regressed']
        slow = [node['host'] for node in check['nodes']] + (check['peers'] or {}).get('drain', [])
        void = [finding['fault'] for finding in check['faults']]
        return sn.assert_false(void + worse + slow, msg=check['reason'])

    def log(self, *figures):
        """Logs the series of these figures, as medians of all nodes, as performance variables."""
        def value_of(verdict):
            return sn.make_performance_function(sn.defer(verdict['value']), verdict['unit'])

        self.perf_variables = {
            verdict['series'].replace(':', '.'): value_of(verdict)  # ReFrame shows what follows a colon
            for verdict in self.check['verdicts']
            if verdict['value'] is not None and verdict['series'].split('/')[-1].startswith(figures)
        }


@rfm.simple_test
class HockneyHealth(HockneyNight):
    descr = 'Latency, bandwidth and limits against the history of this system'

    @run_before('performance')
    def set_performance(self):
        """Every α and β with its unit."""
        self.log('alpha', 'beta')


@rfm.simple_test
class HockneyEachNode(HockneyNight):
    descr = 'Every node of the job measures itself at the same time, against its nights and its peers'
    run_options = '--each-node --budget 60s'

    @run_before('performance')
    def set_performance(self):
        """Every latency and bandwidth, with those of memory and GPUs."""
        self.log('seconds', 'bytes_per_second')
