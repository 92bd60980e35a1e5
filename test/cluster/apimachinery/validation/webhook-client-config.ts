/** Validation of the client configuration of webhooks. */

import { isSubdomain } from '../name-validation.ts';
import { all, fields, inRange, optional, type Rule, requiredValue } from './combinators.ts';
import { fieldsOf, invalid, required } from './errors.ts';

const servicePath: Rule = function* (value, path) {
  const text = String(value);
  if (text === '' || text === '/') return;
  if (!text.startsWith('/')) yield invalid(path, text, "must start with a '/'");
  const steps = text.slice(1).replace(/\/$/, '').split('/');
  for (const [index, step] of steps.entries()) {
    if (step === '') yield invalid(path, text, `segment[${index}] may not be empty`);
    else for (const detail of isSubdomain(step)) yield invalid(path, text, `segment[${index}]: ${detail}`);
  }
};

/** Rule of a Service reference; the server reports name and namespace the wrong way round. */
const serviceReference: Rule = function* (value, path) {
  const { name, namespace } = fieldsOf(value);
  yield* requiredValue()(namespace, `${path}.name`);
  yield* requiredValue()(name, `${path}.namespace`);
};

const serviceParts = fields({
  path: optional(servicePath),
  port: inRange(1, 65_535, 'port is not valid: must be between 1 and 65535, inclusive'),
});

/** Rule of a webhook's client configuration: a URL or a Service. */
export const clientConfig: Rule = function* (value, path) {
  const { url, service: target } = fieldsOf(value);
  if ((url === undefined) === (target === undefined)) {
    yield required(path, 'exactly one of url or service is required');
  } else if (target !== undefined) yield* all(serviceReference, serviceParts)(target, `${path}.service`);
  else if (typeof url === 'string' && !url.startsWith('https://')) {
    const scheme = url.includes(':') ? url.split(':', 1)[0] : '';
    const form = '; desired format: https://host[/path]';
    yield invalid(`${path}.url`, scheme, `'https' is the only allowed URL scheme${form}`);
    if (scheme === '') yield invalid(`${path}.url`, '', `host must be specified${form}`);
  }
};
