/** Fair token bucket: groups take turns. */

import { Breaker, type BreakerOptions, type Verdict } from './breaker.ts';

/** Rate limits of a {@link Line}. */
export interface LineOptions {
  /** Average calls per second. */
  readonly rate: number;
  /** Calls that may be made at once after an idle time. @default the calls of one second, at least one */
  readonly burst?: number;
  readonly breaker?: BreakerOptions;
}

/** Caller: each `slot` keeps its place in the queue; permits are shared fairly between groups. */
export interface Asker {
  readonly slot: string;
  readonly group: string;
}

/** Permit for one call. */
export interface Turn {
  /** Notes that the call is sent. Counts once. */
  begin(now: number): void;
  /** Notes the result of the call. */
  end(verdict: Verdict, now: number): void;
  /** Returns the permit: an unused one goes to the next waiter; a begun one without a result counts as failed. */
  release(now: number): void;
}

/** Permit, or the ms after which the caller is expected to be next. */
export type Answer = { readonly turn: Turn } | { readonly wait: number };

interface Ticket {
  readonly slot: string;
  /** Time at which it was told to return. */
  promised: number;
}

/** Waiters of one group in FIFO order, and how many permits it got. */
interface Lane {
  readonly tickets: Ticket[];
  turns: number;
}

/** Returns the ticket of a slot, appended if new, and marks it as present. */
function placeIn({ tickets }: Lane, slot: string, now: number): Ticket {
  const known = tickets.find((one) => one.slot === slot);
  if (known !== undefined) {
    known.promised = now;
    return known;
  }
  const ticket = { slot, promised: now };
  tickets.push(ticket);
  return ticket;
}

/** ms after its time for which a place is reserved for a waiter that has not returned. */
const grace = 5_000;
/** ms after its time when the place of a waiter that has not returned is dropped. */
const forgotten = 600_000;
/** Tolerance for floating point. */
const epsilon = 1e-6;

/**
 * Rate limiter of one credential: a token bucket, a circuit breaker and a fair queue. Callers do not block: one that must wait is told when to return
 * and keeps its place. There are no timers and no clock: `now` is monotonic ms, and the state is computed on each call.
 *
 * # Guarantees
 * In any time span, no more calls than `burst` plus `rate` times the span. No waiting group is ahead of another by more than one permit (deficit
 * round robin with equal costs). A waiter that returns within ten minutes of its time never loses its place.
 */
export class Line {
  readonly #rate: number;
  readonly #burst: number;
  readonly #breaker: Breaker;
  readonly #lanes = new Map<string, Lane>();
  #tokens: number;
  /** Tokens of permits that have not begun. */
  #reserved = 0;
  #filled: number;
  /** Permits of the group served last; a group that starts to wait starts from here. */
  #round = 0;

  /** @param now monotonic ms */
  constructor({ rate, burst = Math.max(1, rate), breaker }: LineOptions, now: number) {
    this.#rate = rate / 1000;
    this.#burst = burst;
    this.#breaker = new Breaker(breaker);
    this.#tokens = burst;
    this.#filled = now;
  }

  /** Returns the state of the circuit breaker. */
  state(now: number): ReturnType<Breaker['state']> {
    return this.#breaker.state(now);
  }

  /** Reports whether no call is allowed at all: the circuit is open, or the third party is throttling. */
  rests(now: number): boolean {
    return this.#breaker.wait(now) > 0;
  }

  /** Reports whether there are no waiters and there is no state to keep. */
  isIdle(now: number): boolean {
    this.#fill(now);
    this.#forget(now);
    const full = this.#tokens >= this.#burst && this.#reserved === 0;
    return full && this.#lanes.size === 0 && this.#breaker.isQuiet(now);
  }

  /** Requests a permit. */
  ask({ slot, group }: Asker, now: number): Answer {
    this.#fill(now);
    this.#forget(now);
    const lane = this.#laneOf(group);
    const ticket = placeIn(lane, slot, now);
    const missing = this.#ahead(lane, ticket, now) + 1 - (this.#tokens - this.#reserved);
    const pause = this.#breaker.wait(now);
    if (pause === 0 && missing <= epsilon) return { turn: this.#grant(lane, ticket, now) };
    const wait = Math.max(1, Math.ceil(pause + Math.max(0, missing) / this.#rate));
    ticket.promised = now + wait;
    return { wait };
  }

  #fill(now: number): void {
    const passed = Math.max(0, now - Math.max(this.#filled, this.#breaker.notBefore));
    this.#tokens = Math.min(this.#burst, this.#tokens + passed * this.#rate);
    this.#filled = Math.max(this.#filled, now);
  }

  /** Drops places of waiters that did not return, and groups without waiters or debt. */
  #forget(now: number): void {
    for (const [group, { tickets, turns }] of this.#lanes) {
      const gone = tickets.findIndex(({ promised }) => promised + forgotten < now);
      if (gone !== -1) tickets.splice(gone, 1);
      if (tickets.length === 0 && turns <= this.#round) this.#lanes.delete(group);
    }
    if ([...this.#lanes.values()].every(({ tickets }) => tickets.length === 0)) this.#lanes.clear();
  }

  #laneOf(group: string): Lane {
    const lane = this.#lanes.get(group) ?? { tickets: [], turns: this.#round };
    if (lane.tickets.length === 0) lane.turns = Math.max(lane.turns, this.#round);
    this.#lanes.set(group, lane);
    return lane;
  }

  /** Counts the waiters served before this one, in round-robin order. Overdue waiters are not counted. */
  #ahead(lane: Lane, ticket: Ticket, now: number): number {
    const waiting = ({ tickets }: Lane): readonly Ticket[] => tickets.filter(({ promised }) => promised + grace >= now);
    const rank = lane.turns + waiting(lane).indexOf(ticket);
    let ahead = 0;
    let before = true;
    for (const other of this.#lanes.values()) {
      if (other === lane) before = false;
      const sooner = rank - other.turns + (before ? 1 : 0);
      ahead += Math.min(waiting(other).length, Math.max(0, sooner));
    }
    return ahead;
  }

  #grant(lane: Lane, ticket: Ticket, granted: number): Turn {
    lane.tickets.splice(lane.tickets.indexOf(ticket), 1);
    this.#round = Math.max(this.#round, lane.turns);
    lane.turns += 1;
    this.#reserved += 1;
    this.#breaker.begin(granted);
    let phase: 'reserved' | 'under way' | 'over' = 'reserved';
    const begin = (now: number): void => {
      if (phase !== 'reserved') return;
      phase = 'under way';
      this.#fill(now);
      this.#reserved -= 1;
      this.#tokens -= 1;
    };
    const end = (verdict: Verdict, now: number): void => {
      if (phase === 'over') return;
      phase = 'over';
      this.#fill(now);
      this.#breaker.end(verdict, now);
      if (this.#breaker.wait(now) > 0) this.#tokens = Math.min(this.#tokens, 1);
    };
    const release = (now: number): void => {
      const unused = phase === 'reserved';
      if (unused) this.#reserved -= 1;
      end({ kind: unused ? 'unknown' : 'failed' }, now);
    };
    return { begin, end, release };
  }
}
