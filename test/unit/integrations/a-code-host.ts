/** A code host in memory: pull requests, comments, commit statuses and members of its repositories. */

import { createHash } from 'node:crypto';

/** A pull request, as people see it. */
export interface HeldPull {
  readonly number: number;
  state: 'open' | 'closed';
  sha: string;
  readonly branch: string;
  /** `owner/name` that it comes from; null when that is gone. */
  readonly from: string | null;
  labels: readonly string[];
  updatedAt: number;
}

export interface HeldComment {
  readonly id: number;
  readonly number: number;
  readonly author: string;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
}

export interface HeldStatus {
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string;
  readonly url: string | null;
}

/** Returns a commit id made of a word. */
export const shaOf = (word: string): string => createHash('sha1').update(word).digest('hex');

/** One repository and what people do there. */
export class HeldRepository {
  readonly name: string;
  readonly pulls = new Map<number, HeldPull>();
  readonly comments = new Map<number, HeldComment>();
  /** All that were ever set, oldest first. */
  readonly statuses: HeldStatus[] = [];
  readonly members = new Map<string, 'admin' | 'write' | 'read'>();
  readonly #now: () => number;
  #lastId = 0;

  constructor(name: string, now: () => number) {
    this.name = name;
    this.#now = now;
  }

  /** Whole seconds, as the hosts tell them. */
  get now(): number {
    return Math.floor(this.#now() / 1000) * 1000;
  }

  open(number: number, more: Partial<Pick<HeldPull, 'branch' | 'from' | 'labels' | 'sha'>> = {}): HeldPull {
    const { branch = `branch-${number}`, from = this.name, labels = [], sha = shaOf(`${this.name} ${number}`) } = more;
    const pull: HeldPull = { number, state: 'open', sha, branch, from, labels, updatedAt: this.now };
    this.pulls.set(number, pull);
    return pull;
  }

  change(number: number, change: Partial<Pick<HeldPull, 'state' | 'sha' | 'labels'>>): void {
    Object.assign(this.pulls.get(number) ?? {}, change, { updatedAt: this.now });
  }

  comment(number: number, author: string, body: string): HeldComment {
    this.#lastId += 1;
    const comment = { id: this.#lastId, number, author, body, createdAt: this.now, updatedAt: this.now };
    this.comments.set(comment.id, comment);
    this.change(number, {});
    return comment;
  }

  /** Newest status of a commit in a context. */
  statusAt(sha: string, context: string): HeldStatus | undefined {
    return this.statuses.findLast((one) => one.sha === sha && one.context === context);
  }

  /** Reports whether a commit was ever pushed. */
  hasCommit(sha: string): boolean {
    return [...this.pulls.values()].some((pull) => pull.sha === sha) || this.statuses.some((one) => one.sha === sha);
  }
}
