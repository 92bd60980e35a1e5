import { discoveryScenarios } from './pages/discovery.ts';
import { otherScenarios } from './pages/others.ts';
import type { Family } from './runner/scenario.ts';

/** Pages that are not objects: discovery, health, documents, and unserved paths. */
export const pages: Family = {
  rbac: true,
  headers: ['vary', 'cache-control', 'etag', 'x-content-type-options', 'accept-ranges'],
  ignored: ['gitCommit', 'gitTreeState', 'x', 'y', 'kid', 'buildDate', 'goVersion', 'compiler', 'platform'],
  masks: [[/[0-9A-F]{128}/g, '<hash>']],
  fixed: () => [...discoveryScenarios, ...otherScenarios],
};
