/** What the tests of watchers and reconcilers say in virtual time, on the real server; one process, one server for all. */
import './calls.test.ts';
import './followings.test.ts';
import './watch-controller.test.ts';
import '../metrics/index.test.ts';
import '../reconcile/finalizer-patch.test.ts';
import '../reconcile/opinionated-steps.test.ts';
import '../reconcile/opinionated.test.ts';
import '../reconcile/stepper.test.ts';
import '../tracing/index.test.ts';
