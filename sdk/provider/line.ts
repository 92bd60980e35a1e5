import { Breaker, type BreakerOptions, type Verdict } from './breaker.ts';

/** How fast a line moves. */
export interface LineOptions {
  /** Calls per second, on average. */
  readonly rate: number;
  /** Calls that may go out at once after a quiet time. @default the calls of one second, at least one */
  readonly burst?: number;
  readonly breaker?: BreakerOptions;
}

/** Who asks: the same `slot` keeps its place however often it asks; places are shared out between groups. */
export interface Asker {
  readonly slot: string;
  readonly group: string;
}

/** The right to make one call. */
export interface Turn {
  /** The call goes out now. Counts once. */
  begin(now: number): void;
  /** The call has come to an end. */
  end(verdict: Verdict, now: number): void;
  /** The turn is over: one that was not used goes to the next in line, one of which nothing was heard has failed. */
  release(now: number): void;
}

/** A turn, or the ms after which the asker is next in line as things are now. */
export type Answer = { readonly turn: Turn } | { readonly wait: number };

interface Ticket {
  readonly slot: string;
  /** When it was told to come back. */
  promised: number;
}

/** Those of one group that wait, the first to come first, and how often the group had its turn. */
interface Lane {
  readonly tickets: Ticket[];
  turns: number;
}

/** The place of a slot in its lane, at the end if it is new; whoever asks is here. */
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

/** ms after its time for which a place is held free for somebody who has not come back. */
const grace = 5_000;
/** ms after its time when the place of somebody who has not come back is given up. */
const forgotten = 600_000;
/** Of rounding. */
const epsilon = 1e-6;

/**
 * The line in front of one credential: a token bucket, a breaker, and those who wait. Nobody waits inside: who cannot go now is told when to come
 * back, and keeps its place meanwhile. No timers, no clock: `now` is monotonic ms, and all is worked out when somebody asks.
 *
 * # Guarantees
 * In any time span, no more calls than `burst` and `rate` times the span. Of groups that wait, none is a turn ahead of another by more than one
 * (deficit round robin with equal costs). A place is lost to nobody who comes back within ten minutes of its time.
 */
export class Line {
  readonly #rate: number;
  readonly #burst: number;
  readonly #breaker: Breaker;
  readonly #lanes = new Map<string, Lane>();
  #tokens: number;
  /** Tokens that belong to turns which have not begun. */
  #reserved = 0;
  #filled: number;
  /** Turns of the group that had one last: whoever starts to wait starts from here. */
  #round = 0;

  /** @param now monotonic ms */
  constructor({ rate, burst = Math.max(1, rate), breaker }: LineOptions, now: number) {
    this.#rate = rate / 1000;
    this.#burst = burst;
    this.#breaker = new Breaker(breaker);
    this.#tokens = burst;
    this.#filled = now;
  }

  /** What its breaker does. */
  state(now: number): ReturnType<Breaker['state']> {
    return this.#breaker.state(now);
  }

  /** Whether nothing goes out now, whoever asks: the third party fails, or has asked for patience. */
  rests(now: number): boolean {
    return this.#breaker.wait(now) > 0;
  }

  /** Whether nobody waits and nothing is to be remembered. */
  isIdle(now: number): boolean {
    this.#fill(now);
    this.#forget(now);
    const full = this.#tokens >= this.#burst && this.#reserved === 0;
    return full && this.#lanes.size === 0 && this.#breaker.isQuiet(now);
  }

  /** Asks for a turn. */
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

  /** Drops places of whoever never came back, and lanes that nobody waits in and that owe nothing. */
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

  /** How many are served before this one: lane by lane, one of each in every round. Who should have come back long ago is not waited for. */
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
