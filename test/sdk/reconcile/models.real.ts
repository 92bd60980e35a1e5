/** The models' tests that talk to a cluster, once more on the real server; one process, one server for all. */
import './children.test.ts';
import './phases.test.ts';
import './remote.test.ts';
import './remote-deletion.test.ts';
import './sentinel.test.ts';
import './status.test.ts';
