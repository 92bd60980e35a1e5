/** Runs the models' tests that use a cluster on the real server; one process, one server for all. */
import './operator-sdk-extra/children.test.ts';
import './operatorkit/config-resources.test.ts';
import './finalizer.test.ts';
import './nesting/nesting.test.ts';
import './operatorkit/operatorkit.test.ts';
import './operator-sdk-extra/phases.test.ts';
import './registry-drift.test.ts';
import './registry.test.ts';
import './operator-sdk-extra/remote-deletion.test.ts';
import './operator-sdk-extra/remote-hooks.test.ts';
import './operator-sdk-extra/remote.test.ts';
import './operator-sdk-extra/sentinel.test.ts';
import './status.test.ts';
import './success-condition.test.ts';
import './operator-sdk-extra/stepwise.test.ts';
