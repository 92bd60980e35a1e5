/** What opinionated handlers do to finalizers, on the real server. */
import './finalizer-patch.test.ts';
import './opinionated-steps.test.ts';
