import type { KubeObject } from '../api/object.ts';
import { isEnding, lastSeen } from './object-event.ts';
import { done, type Reconciler } from './reconciler.ts';

/** What pauses an object. */
export interface PauseOptions {
  /** Annotations, each of which pauses when it has this value. */
  readonly annotations: Readonly<Record<string, string>>;
  /** `true`: the clean-up of a paused object waits too; of one that goes while it is paused there is none. @default false */
  readonly pauseDeletion?: boolean;
}

const isPaused = ({ metadata }: KubeObject, annotations: PauseOptions['annotations']): boolean =>
  Object.entries(annotations).some(([name, value]) => metadata.annotations?.[name] === value);

/** Leaves objects alone that are annotated so; their deletion goes on unless `pauseDeletion` is set. */
export const pausable =
  <T extends KubeObject>({ annotations, pauseDeletion = false }: PauseOptions, inner: Reconciler<T>): Reconciler<T> =>
  async (request) => {
    const last = lastSeen(request);
    const waits = last !== undefined && isPaused(last.object, annotations) && (pauseDeletion || !isEnding(last));
    return waits ? done : inner(request);
  };
