/** Runs the members of the ProviderController on the real server; one process, one server for all. */
import './provider-controller.test.ts';
