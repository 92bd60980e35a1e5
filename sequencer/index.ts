/**
 * Runs integrations on workspaces: `workspace-sequencer/sequencer`.
 *
 * @packageDocumentation
 */
export type { Move } from './plan.ts';
export { nextMoves } from './plan.ts';
export { registered } from './registry.ts';
export type { RunOptions } from './run.ts';
export { runSequencer } from './run.ts';
export type { Sequencer, SequencerOptions } from './sequencer.ts';
export { createSequencer } from './sequencer.ts';
export type { WalkHost } from './walk.ts';
export { walk } from './walk.ts';
