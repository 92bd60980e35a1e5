import { long, proveOnGitea } from './prove-on-gitea.ts';

proveOnGitea(long);
