import {
  conditionOf,
  NotFoundError,
  type Workspace,
  Workspace as WorkspaceKind,
  type WorkspaceSpec,
} from '../../sdk/index.ts';
import { type Actor, aStage, type Stage } from '../a-stage.ts';
import type { Subject, SubjectFor } from './subject.ts';

/** How long, in virtual ms, anything may take. */
const limit = 600_000;

/** Short, so that a dead holder's lease is over soon; the proportions are those of real life. */
const times = { lease: 10_000, maxRequest: 5_000 };

const key = { namespace: 'default', name: 'subject' };

/** One workspace, one third party, and the sequencers that come one after the other. */
export class Life {
  readonly subject: Subject;
  readonly stage: Stage;
  #actor: Actor;
  #count = 0;
  #died = Promise.withResolvers<never>();

  private constructor(stage: Stage, subject: Subject) {
    this.stage = stage;
    this.subject = subject;
    this.#actor = this.#born();
  }

  /** A fresh cluster and a fresh third party. */
  static async begin(subjectFor: SubjectFor): Promise<Life> {
    const stage = await aStage();
    return new Life(stage, await subjectFor({ clock: stage.clock, cluster: stage.cluster }));
  }

  get holder(): string {
    return `sequencer-${this.#count}`;
  }

  get events(): Actor['events'] {
    return this.#actor.events;
  }

  create(spec: WorkspaceSpec = this.subject.spec): Promise<Workspace> {
    return this.stage.create(spec, key.name);
  }

  async edit(spec: WorkspaceSpec): Promise<void> {
    const { metadata } = await this.stage.read(key.name);
    await this.stage.client.update(WorkspaceKind, {
      apiVersion: 'se.quencer.io/v1alpha1',
      kind: 'Workspace',
      metadata,
      spec,
    });
  }

  delete(): Promise<unknown> {
    return this.stage.delete(key.name);
  }

  /** The workspace; undefined once it is gone. */
  async read(): Promise<Workspace | undefined> {
    return this.stage.read(key.name).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
  }

  /** `Status: reason` of the subject's condition. */
  async condition(): Promise<string> {
    const workspace = await this.read();
    if (workspace === undefined) return 'Gone: ';
    const { status, reason } = conditionOf(workspace, this.subject.integration.condition);
    return `${status}: ${reason}`;
  }

  async remote(): Promise<readonly string[]> {
    return [...(await this.subject.remote())].sort();
  }

  /** The sequencer dies: nothing it sends arrives any more, nothing comes back. Another one begins at once. */
  die(): void {
    this.#actor.die();
    this.#died.reject(new Error('died'));
    this.#died = Promise.withResolvers<never>();
    this.#actor = this.#born();
  }

  /** One walk, whatever becomes of it. @returns ms until the next one is wished for */
  async walk(): Promise<number> {
    const died = this.#died.promise;
    died.catch(() => undefined);
    const walking = this.#actor.walk(key.name).then(
      ({ requeueAfter = 1_000 }) => requeueAfter,
      () => 1_000,
    );
    let over = false;
    const ended = Promise.race([walking, died.catch(() => 0)]).finally(() => {
      over = true;
    });
    for (let passed = 0; !over && passed < limit; passed += 500) await this.stage.clock.advance(passed === 0 ? 0 : 500);
    return ended;
  }

  /** Walks until the condition has one of these statuses, or time is over. @returns whether it came to that */
  async until(...statuses: readonly string[]): Promise<boolean> {
    const { clock } = this.stage;
    const end = clock.monotonic() + limit;
    while (clock.monotonic() < end) {
      const wait = await this.walk();
      const [status = ''] = (await this.condition()).split(': ');
      if (statuses.includes(status)) return true;
      await clock.advance(Math.max(1, wait));
    }
    return false;
  }

  #born(): Actor {
    this.#count += 1;
    return this.stage.actor([this.subject.integration], { holder: this.holder, times });
  }
}
