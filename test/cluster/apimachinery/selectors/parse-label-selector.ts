/** Parses label selectors. */

import { labelValue, labelValueRule, qualifiedNameErrors } from '../metadata-validation.ts';
import { badRequest } from '../status.ts';

/** Reports whether an object with these labels is selected. */
export type LabelSelector = (labels: Readonly<Record<string, string>>) => boolean;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values: ReadonlySet<string>;
}

const symbols = /\s*(==|!=|=|!|,|\(|\)|>|<|[^\s=!,()<>]+)\s*/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  symbols.lastIndex = 0;
  for (let match = symbols.exec(text); match !== null; match = symbols.exec(text)) {
    tokens.push(match[1]!);
    if (symbols.lastIndex >= text.length) break;
  }
  return tokens;
}

const special = new Set(['==', '!=', '=', '!', ',', '(', ')', '>', '<', '']);
/** Tokens that separate and end the values of a list. */
const listTokens = [',', ')'];

/** Error between requirements, which the server reports without a preamble. */
const misplaced = (found: string, expected: string) => badRequest(`found '${found}', expected: ${expected}`);
const unexpectedToken = (found: string, expected: string) =>
  badRequest(`unable to parse requirement: found '${found}', expected: ${expected}`);

class Parser {
  readonly #tokens: readonly string[];
  #index = 0;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  requirements(): Requirement[] {
    const found: Requirement[] = [];
    const first = this.#peek();
    if (first === '') return found;
    if (first !== '!' && special.has(first)) throw misplaced(first, "!, identifier, or 'end of string'");
    for (;;) {
      found.push(this.#requirement());
      const token = this.#next();
      if (token === '') return found;
      if (token !== ',') throw misplaced(token, "',' or 'end of string'");
      const next = this.#peek();
      if (next !== '!' && special.has(next)) throw misplaced(next, "identifier after ','");
    }
  }

  #peek = (): string => this.#tokens[this.#index] ?? '';

  #next(): string {
    const token = this.#peek();
    this.#index += 1;
    return token;
  }

  #requirement(): Requirement {
    const negated = this.#peek() === '!';
    if (negated) this.#next();
    const key = this.#next();
    if (special.has(key)) throw unexpectedToken(key, 'identifier');
    const wrong = qualifiedNameErrors(key).join('; ');
    if (wrong !== '') {
      throw badRequest(`unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${wrong}`);
    }
    const operator = this.#peek();
    if (negated) {
      if (operator !== '' && operator !== ',') throw unexpectedToken(operator, "',' or 'end of string'");
      return { key, operator: '!', values: new Set() };
    }
    if (operator === '' || operator === ',') return { key, operator: 'exists', values: new Set() };
    this.#next();
    return { key, operator, values: new Set(this.#values(key, operator)) };
  }

  #values(key: string, operator: string): string[] {
    const values = operator === 'in' || operator === 'notin' ? this.#list() : [this.#exact(operator)];
    for (const value of values) {
      const wrong = value.length > 63 ? 'must be no more than 63 characters' : labelValueRule;
      if (value.length <= 63 && labelValue.test(value)) continue;
      throw badRequest(
        `unable to parse requirement: values[0][${key}]: Invalid value: ${JSON.stringify(value)}: ${wrong}`,
      );
    }
    if ((operator === '>' || operator === '<') && !/^-?\d+$/.test(values[0]!)) {
      throw badRequest(
        `unable to parse requirement: values[0]: Invalid value: ${JSON.stringify(values[0])}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return values;
  }

  #exact(operator: string): string {
    if (!['=', '==', '!=', '>', '<'].includes(operator)) {
      throw unexpectedToken(operator, 'in, notin, =, ==, !=, gt, lt');
    }
    const value = this.#peek();
    if (value === '' || value === ',') return '';
    if (special.has(value)) throw unexpectedToken(value, 'identifier');
    return this.#next();
  }

  #list(): string[] {
    const open = this.#next();
    if (open !== '(') throw badRequest(`unable to parse requirement: found '${open}' expected: '('`);
    const values: string[] = [];
    for (let token = this.#nextInList(open); token !== ')'; token = this.#nextInList(token)) {
      if (token !== ',') values.push(token);
      else if (values.length === 0 || listTokens.includes(this.#peek())) values.push('');
    }
    return values.length === 0 ? [''] : values;
  }

  /** Returns the next token of a list of values, which may not be two values in a row. */
  #nextInList(former: string): string {
    const token = this.#next();
    if (listTokens.includes(token)) return token;
    if (!special.has(former)) throw unexpectedToken(token, "',' or ')'");
    if (special.has(token))
      throw badRequest(`unable to parse requirement: found '${token}', expected: ',', ')' or identifier`);
    return token;
  }
}

const decisions: Record<string, (value: string | undefined, values: ReadonlySet<string>) => boolean> = {
  '=': (value, [wanted]) => value === wanted,
  '==': (value, [wanted]) => value === wanted,
  '!=': (value, [wanted]) => value !== wanted,
  in: (value, values) => value !== undefined && values.has(value),
  notin: (value, values) => value === undefined || !values.has(value),
  exists: (value) => value !== undefined,
  '!': (value) => value === undefined,
  '>': (value, [wanted]) => value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(wanted),
  '<': (value, [wanted]) => value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(wanted),
};

/** Number of look-ups from which a map of the labels pays. */
const many = 16;

/** Returns a look-up of an object's own labels, to be used `count` times. */
function lookup(labels: Parameters<LabelSelector>[0], count: number): (key: string) => string | undefined {
  if (count < many) return (key) => (Object.hasOwn(labels, key) ? labels[key] : undefined);
  const known = new Map(Object.entries(labels));
  return (key) => known.get(key);
}

/** Parses a label selector; undefined when it selects everything. Throws the server's 400. */
export function labelSelectorOf(text: string): LabelSelector | undefined {
  const requirements = new Parser(text).requirements();
  if (requirements.length === 0) return undefined;
  return (labels) => {
    const valueIn = lookup(labels, requirements.length);
    return requirements.every(({ key, operator, values }) => decisions[operator]!(valueIn(key), values));
  };
}
