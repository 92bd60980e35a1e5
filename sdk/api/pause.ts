/** Pause of objects by annotation. */

import { isDeleting, type KubeObject } from './object.ts';
import { group } from './workspace.ts';

/** Annotation that, set to `true`, pauses an object: a workspace, or any object under `pausable`. */
export const pausedAnnotation = `${group}/paused`;

/** Options of {@link isPaused} and `pausable`. */
export interface PauseOptions {
  /** Annotations with the value that pauses an object; any one suffices. @default `se.quencer.io/paused: 'true'` */
  readonly annotations?: Readonly<Record<string, string>>;
  /** Also pauses the clean-up before a deletion. @default false */
  readonly pauseDeletion?: boolean;
}

const defaultAnnotations: Readonly<Record<string, string>> = { [pausedAnnotation]: 'true' };

/** Reports whether an object is paused. An object that is being deleted (`isEnding`) is paused only with `pauseDeletion`. */
export function isPaused(
  object: KubeObject,
  { annotations = defaultAnnotations, pauseDeletion = false }: PauseOptions = {},
  isEnding: boolean = isDeleting(object),
): boolean {
  if (isEnding && !pauseDeletion) return false;
  return Object.entries(annotations).some(([name, value]) => object.metadata.annotations?.[name] === value);
}
