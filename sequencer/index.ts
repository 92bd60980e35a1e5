/**
 * Runs integrations on workspaces: `workspace-sequencer/sequencer`.
 *
 * @packageDocumentation
 */

export type { Move } from './engine/plan/plan.ts';
export { nextMoves } from './engine/plan/plan.ts';
export { walk } from './engine/walk.ts';
export type { WalkOptions } from './engine/walk-state.ts';
export { checkIntegrations } from './run/check-integrations.ts';
export type { RunOptions } from './run/run.ts';
export { runSequencer } from './run/run.ts';
export type { Sequencer, SequencerOptions } from './run/sequencer.ts';
export { createSequencer } from './run/sequencer.ts';
export type { Walkthrough, WalkthroughStage } from './run/walkthrough.ts';
export {
  defineTenantIntegration,
  type OpenedIntegration,
  type TenantIntegration,
  type TenantIntegrations,
} from './tenants/tenant-integration.ts';
