/** Stand-in for a server of hooks: boxes in a Map, strict about signatures and requests. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { messageCheck } from '../../../../integrations/http/protocol.ts';
import type { Clock } from '../../../../sdk/index.ts';

type Json = Readonly<Record<string, unknown>>;
type Identity = 'name' | 'tag' | 'key' | 'opaque';
type Owner = Readonly<Record<'uid' | 'mark', string>>;

interface Box {
  readonly id: string;
  readonly mark: string;
  readonly wanted: Json;
}

/** Environment of a stand-in. */
export interface StandInOptions {
  /** Key of the signatures; a function where it changes. */
  readonly secret: string | (() => string);
  readonly identity: Identity;
  readonly clock: Pick<Clock, 'now'>;
  /** Answers a token as secret. @default false */
  readonly isSecretive?: boolean;
  /** Says nothing of being proved. @default false */
  readonly isInEarnest?: boolean;
  /** Finds nothing again: a defect. @default false */
  readonly isForgetful?: boolean;
}

/** Stand-in for a server of hooks. */
export interface HooksStandIn {
  readonly fetch: typeof globalThis.fetch;
  readonly boxes: ReadonlyMap<string, Box>;
  /** Removes or changes one box, as another client would. */
  causeDrift(): void;
  /** Functions that were called, in order. */
  readonly called: string[];
}

class Refusal extends Error {
  readonly status: number;
  readonly reason: string | undefined;
  constructor(status: number, message: string, reason?: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** Tolerance of clocks in seconds. */
const tolerance = 300;

/** Boxes, and the functions on them. */
class Boxes {
  readonly all = new Map<string, Box>();
  readonly #keys = new Map<string, string>();
  readonly #identity: Identity;
  readonly #isSecretive: boolean;
  readonly #isInEarnest: boolean;
  readonly #isForgetful: boolean;
  #count = 0;

  constructor({ identity, isSecretive = false, isInEarnest = false, isForgetful = false }: StandInOptions) {
    this.#identity = identity;
    this.#isSecretive = isSecretive;
    this.#isInEarnest = isInEarnest;
    this.#isForgetful = isForgetful;
  }

  describe() {
    const functions = ['find', 'findAll', 'observe', 'update', 'secretOf', 'replaceMark'].filter(
      (name) => (!name.startsWith('find') || this.#identity !== 'opaque') && (name !== 'secretOf' || this.#isSecretive),
    );
    const validForMs = this.#identity === 'key' ? { validForMs: 86_400_000 } : {};
    const testing = { wanted: { size: 1, color: 'red' }, edited: { size: 2, color: 'blue' }, sameName: 'separate' };
    return { identity: this.#identity, functions, label: 'box', ...validForMs, ...(!this.#isInEarnest && { testing }) };
  }

  find({ owner }: { owner: Owner }) {
    const found = [...this.all.values()].find(({ mark }) => mark === owner.mark && !this.#isForgetful);
    return { id: found === undefined ? null : { id: found.id } };
  }

  findAll({ owner }: { owner: Owner }) {
    const ours = [...this.all.values()].filter(({ mark }) => mark.startsWith(owner.mark));
    return { things: ours.map(({ id, mark }) => ({ slot: mark.slice(owner.mark.length), id: { id } })) };
  }

  create({ owner, wanted, key }: { owner: Owner; wanted: Json; key: string }) {
    const id = this.#idOf(owner, key);
    if (this.#identity === 'name' && (this.all.has(id) || this.find({ owner }).id !== null))
      throw new Refusal(409, `box ${id} is there`, 'exists');
    if (!this.all.has(id)) this.all.set(id, { id, mark: owner.mark, wanted });
    return { id: { id }, ...(this.#isSecretive && this.secretOf({ owner, id: { id } })) };
  }

  observe({ id }: { id: { id: string } }) {
    const box = this.all.get(id.id);
    return box === undefined ? { state: null } : { state: box.wanted, mark: box.mark };
  }

  update({ owner, id, wanted }: { owner: Owner; id: { id: string }; wanted: Json }) {
    this.all.set(id.id, { ...this.#own(id.id, [owner]), wanted });
    return {};
  }

  secretOf({ owner, id }: { owner: Owner; id: { id: string } }) {
    return { secret: { token: `token-of-${this.#own(id.id, [owner]).id}` } };
  }

  replaceMark({ owner, former, id }: { owner: Owner; former: readonly Owner[]; id: { id: string } }) {
    this.all.set(id.id, { ...this.#own(id.id, [owner, ...former]), mark: owner.mark });
    return {};
  }

  delete({ owner, id }: { owner: Owner; id: { id: string } }) {
    if (this.all.has(id.id)) this.#own(id.id, [owner]);
    this.all.delete(id.id);
    return { gone: true };
  }

  testList() {
    return { things: [...this.all.values()].map(({ id, wanted }) => ({ id, what: JSON.stringify(wanted) })) };
  }

  testDrift() {
    const [first] = this.all.values();
    this.#count += 1;
    if (first === undefined) return {};
    if (this.#count % 2 === 0) this.all.set(first.id, { ...first, wanted: { size: 99, color: 'grey' } });
    else this.all.delete(first.id);
    return {};
  }

  testReset() {
    this.all.clear();
    this.#keys.clear();
    return {};
  }

  #idOf(owner: Owner, key: string): string {
    if (this.#identity === 'name') return `box-of-${owner.mark}`;
    const known = this.#identity === 'key' ? this.#keys.get(key) : undefined;
    this.#count += 1;
    const id = known ?? `box-${this.#count}`;
    this.#keys.set(key, id);
    return id;
  }

  /** @throws Refusal unless the box is there and bears the mark of one of these */
  #own(id: string, owners: readonly Owner[]): Box {
    const box = this.all.get(id);
    if (box === undefined) throw new Refusal(404, `there is no ${id}`);
    if (owners.some(({ mark }) => mark === box.mark)) return box;
    throw new Refusal(403, `${id} is another's`);
  }
}

/** @throws Refusal unless the request is signed with the secret, in time, and for the first time */
function verify(headers: Headers, body: string, { secret, clock, seen }: StandInOptions & { seen: Set<string> }): void {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  );
  const text = typeof secret === 'string' ? secret : secret();
  const key = Buffer.from(text.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64'));
  const isSigned = signatures!.split(' ').some((one) => {
    const given = Buffer.from(one.replace(/^v1,/, ''));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new Refusal(401, 'wrong signature');
  if (Math.abs(clock.now() / 1000 - Number(timestamp)) > tolerance) throw new Refusal(401, 'too old, or too early');
  if (seen.has(id!)) throw new Refusal(401, 'was sent before');
  seen.add(id!);
}

/** Creates one; answers are Responses, as of a server. */
export function hooksStandIn(options: StandInOptions): HooksStandIn {
  const boxes = new Boxes(options);
  const mistakeIn = messageCheck();
  const seen = new Set<string>();
  const called: string[] = [];
  const answer = async (init: RequestInit): Promise<object> => {
    verify(new Headers(init.headers), String(init.body), { ...options, seen });
    const request = JSON.parse(String(init.body)) as { readonly function: string };
    called.push(request.function);
    const mistake = await mistakeIn(`${request.function}Request`, request).catch(() => 'no such function');
    if (mistake !== undefined) throw new Refusal(400, mistake, 'unknown-function');
    return (boxes[request.function as keyof HooksFunctions] as (request: object) => object).call(boxes, request);
  };
  return {
    called,
    boxes: boxes.all,
    causeDrift: () => void boxes.testDrift(),
    fetch: (_, init = {}) =>
      answer(init).then(
        (body) => Response.json(body),
        ({ status = 500, message, reason }: Refusal) =>
          Response.json({ error: { effect: 'none', message, ...(reason && { reason }) } }, { status }),
      ),
  };
}

type HooksFunctions = Pick<
  Boxes,
  | 'describe'
  | 'find'
  | 'findAll'
  | 'create'
  | 'observe'
  | 'update'
  | 'secretOf'
  | 'replaceMark'
  | 'delete'
  | 'testList'
  | 'testDrift'
  | 'testReset'
>;
