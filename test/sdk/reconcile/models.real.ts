/** Runs the models' tests that use a cluster on the real server; one process, one server for all. */
import './children.test.ts';
import './config-resources.test.ts';
import './finalizer.test.ts';
import './nesting.test.ts';
import './operatorkit.test.ts';
import './phases.test.ts';
import './registry-drift.test.ts';
import './registry.test.ts';
import './remote-deletion.test.ts';
import './remote-hooks.test.ts';
import './remote.test.ts';
import './sentinel.test.ts';
import './status.test.ts';
import './success-condition.test.ts';
