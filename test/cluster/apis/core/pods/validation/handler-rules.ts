/** Validates the lifecycle hooks and probes of containers. */

import type { FieldError } from '../../../../apimachinery/field-error.ts';
import type { Fields } from '../../../../apimachinery/object.ts';
import { portNumber, portNumberOrName } from '../../../../apimachinery/validation/address-rules.ts';
import {
  fields,
  inRange,
  members,
  named,
  notNegative,
  type Rule,
  requiredValue,
  some,
} from '../../../../apimachinery/validation/combinators.ts';
import {
  fieldsOf,
  forbidden,
  invalid,
  listOf,
  required,
  unsupported,
} from '../../../../apimachinery/validation/errors.ts';

const headerName = named((name) =>
  /^[-A-Za-z0-9]+$/.test(name)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
);

const port: Rule = (value, path) => portNumberOrName(value ?? 0, path);

const httpGet: Rule = function* (value, path) {
  const { scheme = '', httpHeaders, ...rest } = fieldsOf(value);
  yield* fields({ path: requiredValue(), port })(rest, path);
  yield* unsupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']);
  for (const { name } of listOf(httpHeaders)) yield* headerName(name, `${path}.httpHeaders`);
};

/** Termination grace period of the pod in seconds; undefined when it is unknown. */
export type Grace = number | undefined;

type Handler = (grace: Grace) => Rule;

const always =
  (rule: Rule): Handler =>
  () =>
    rule;

const handlers: Readonly<Record<string, Handler>> = {
  exec: always(fields({ command: some() })),
  httpGet: always(httpGet),
  tcpSocket: always(fields({ port })),
  grpc: always(fields({ port: portNumber })),
  sleep: (grace) =>
    function* (value, path) {
      const seconds = Number(fieldsOf(value).seconds ?? 0);
      if (grace === undefined || (seconds >= 0 && seconds <= grace)) return;
      const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
      yield invalid(path, seconds, detail);
    },
};

/** Validates that a handler has exactly one action, and validates it. */
function* handlerErrors(value: unknown, path: string, grace: Grace): Generator<FieldError> {
  const handler = fieldsOf(value);
  const [first, ...more] = Object.keys(handlers).filter((name) => handler[name] !== undefined);
  if (first === undefined) yield required(path, 'must specify a handler type');
  else yield* handlers[first]!(grace)(handler[first], `${path}.${first}`);
  for (const name of more) yield forbidden(`${path}.${name}`, 'may not specify more than 1 handler type');
}

const probeRules = members({
  initialDelaySeconds: notNegative,
  timeoutSeconds: notNegative,
  periodSeconds: notNegative,
  successThreshold: notNegative,
  failureThreshold: notNegative,
  terminationGracePeriodSeconds: inRange(1, Number.POSITIVE_INFINITY, 'must be greater than 0'),
});

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

function* probeErrors(container: Fields, name: string, path: string): Generator<FieldError> {
  if (container[name] === undefined) return;
  const probe = fieldsOf(container[name]);
  const { successThreshold = 0, terminationGracePeriodSeconds: grace } = probe;
  yield* handlerErrors(probe, path, undefined);
  yield* probeRules(probe, path);
  if (name !== 'readinessProbe') {
    if (successThreshold !== 1) yield invalid(`${path}.successThreshold`, successThreshold, 'must be 1');
  } else if (grace !== undefined) {
    yield invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must not be set for readinessProbes');
  }
}

/** Validates a container's lifecycle hooks, then its probes. */
export function* lifecycleErrors(container: Fields, path: string, grace: Grace): Generator<FieldError> {
  const { postStart, preStop } = fieldsOf(container.lifecycle);
  if (postStart !== undefined) yield* handlerErrors(postStart, `${path}.lifecycle.postStart`, grace);
  if (preStop !== undefined) yield* handlerErrors(preStop, `${path}.lifecycle.preStop`, grace);
  for (const name of probes) yield* probeErrors(container, name, `${path}.${name}`);
}

const ofSidecarsOnly = 'may not be set for init containers without restartPolicy=Always';

/** Reports hooks and probes of init containers that run to completion. */
export function* noLifecycleErrors(container: Fields, path: string): Generator<FieldError> {
  for (const name of ['lifecycle', ...probes]) {
    if (container[name] !== undefined) yield forbidden(`${path}.${name}`, ofSidecarsOnly);
  }
}
