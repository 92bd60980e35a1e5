import { caseNames } from '../../../compliance/subject/case-names.ts';
import { long, proveOnGitea } from './prove-on-gitea.ts';

proveOnGitea(caseNames.filter((name) => !long.includes(name)));
