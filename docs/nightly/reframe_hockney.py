"""ReFrame: one regression test that runs a night of hockney and reads its verdicts.

    reframe -c docs/nightly/reframe_hockney.py -r
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class HockneyHealth(rfm.RunOnlyRegressionTest):
    descr = 'Latency, bandwidth and limits against the history of this system'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    time_limit = '30m'
    executable = 'hockney'
    config = variable(str, value=os.path.join(
        os.environ.get('HOCKNEY_CONFIGS', '/usr/local/share/hockney/configs'), 'nightly.json'))
    history = variable(str, value=os.path.expanduser('~/hockney-history.sqlite'))

    @run_before('run')
    def measure_and_check(self):
        self.prerun_cmds = [
            f'hockney run {self.config} --out night',
            f'hockney health ingest night --history {self.history}',
        ]
        self.executable_opts = ['health', 'check', '--history', self.history, '-o', 'check.json']

    @property
    def document(self):
        with open(os.path.join(self.stagedir, 'check.json')) as file:
            return json.load(file)

    @sanity_function
    def nothing_regressed(self):
        # Exit code 1 is a verdict, which the document says better.
        worse = [v['series'] for v in self.document['verdicts'] if v['verdict'] == 'regressed']
        slow = [node['host'] for node in self.document['nodes']]
        void = [finding['fault'] for finding in self.document['faults']]
        return sn.assert_false(void + worse + slow, msg=self.document['reason'])

    @run_before('performance')
    def set_performance(self):
        """Every α and β with its unit, so that ReFrame logs them; hockney judges, not a reference."""
        def value_of(verdict):
            return sn.make_performance_function(sn.defer(verdict['value']), verdict['unit'])

        self.perf_variables = {
            verdict['series']: value_of(verdict) for verdict in self.document['verdicts']
            if verdict['value'] is not None and verdict['series'].split('/')[-1].startswith(('alpha', 'beta'))
        }
