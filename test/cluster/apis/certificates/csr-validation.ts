/** Validates CertificateSigningRequests. */

import type { FieldError } from '../../apimachinery/field-error.ts';
import { isLabel, isSubdomain } from '../../apimachinery/name-validation.ts';
import { equal, type Fields } from '../../apimachinery/object.ts';
import { inRange, oneOf, type Rule, requiredValue } from '../../apimachinery/validation/combinators.ts';
import { type Check, fieldsOf, forbidden, invalid, listOf, required } from '../../apimachinery/validation/errors.ts';
import { requestFault } from '../../pki/certificate-request.ts';
import type { ComparingError } from '../../resources/go-form.ts';

const usages = oneOf(
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
);

const textOf = (base64: unknown): string => Buffer.from(String(base64 ?? ''), 'base64').toString();

/** Validates each part of a signer's name; only the first invalid part is reported. */
function* partErrors(text: string, path: string, check: (part: string) => readonly string[]): Generator<FieldError> {
  const wrong = text.split('.').find((part) => check(part).length > 0);
  if (wrong === undefined) return;
  for (const detail of check(wrong)) yield invalid(path, text, `validating label ${JSON.stringify(wrong)}: ${detail}`);
}

const signerName: Rule = requiredValue('', function* (value, path) {
  const [domain = '', name = '', ...more] = String(value).split('/');
  if (more.length > 0 || !String(value).includes('/')) {
    yield invalid(path, value, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
    return;
  }
  yield* partErrors(domain, path, isLabel);
  if (!domain.includes('.')) {
    yield invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  }
  yield* partErrors(name, path, isSubdomain);
});

const legacy = 'kubernetes.io/legacy-unknown';
const shortest = inRange(600, Infinity, 'may not specify a duration less than 600 seconds (10 minutes)');

function* specErrors(spec: Fields, before: Fields): Generator<FieldError> {
  const fault = requestFault(textOf(spec.request));
  if (fault !== undefined) yield invalid('spec.request', spec.request, fault);
  const list: readonly unknown[] = Array.isArray(spec.usages) ? spec.usages : [];
  if (list.length === 0) yield required('spec.usages');
  for (const [index, usage] of list.entries()) yield* usages(usage, `spec.usages[${index}]`);
  const seen = new Set<unknown>();
  for (const [index, usage] of list.entries()) {
    if (seen.has(usage)) yield { type: 'Duplicate', field: `spec.usages[${index}]`, value: usage };
    seen.add(usage);
  }
  if (spec.signerName === legacy && before.signerName !== legacy) {
    yield invalid('spec.signerName', legacy, 'the legacy signerName is not allowed via this API version');
  } else yield* signerName(spec.signerName, 'spec.signerName');
  yield* shortest(spec.expirationSeconds, 'spec.expirationSeconds');
}

const conditionsAt = 'status.conditions';
const conditionsOf = ({ status }: Fields): readonly Fields[] => listOf(fieldsOf(status).conditions);
const ofType = (object: Fields, type: string): readonly Fields[] =>
  conditionsOf(object).filter((condition) => condition.type === type);

/** Conditions that must be true. */
const verdicts = ['Approved', 'Denied', 'Failed'];
const values = oneOf('False', 'True', 'Unknown');

function* conditionErrors(object: Fields): Generator<FieldError> {
  const seen = new Set<unknown>();
  for (const [index, { type = '', status = '' }] of conditionsOf(object).entries()) {
    const at = `${conditionsAt}[${index}]`;
    yield* requiredValue()(type, `${at}.type`);
    yield* requiredValue('', verdicts.includes(String(type)) ? oneOf('True') : values)(status, `${at}.status`);
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (other !== undefined && seen.has(other)) {
      yield invalid(conditionsAt, type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (seen.has(type)) yield { type: 'Duplicate', field: `${at}.type`, value: type };
    seen.add(type);
  }
}

function* certificateErrors({ status }: Fields, old: Fields | undefined): Generator<FieldError> {
  const { certificate } = fieldsOf(status);
  const isKnown = equal(certificate, fieldsOf(old?.status).certificate);
  if (!certificate || isKnown || textOf(certificate).includes('-----BEGIN CERTIFICATE-----')) return;
  yield invalid('status.certificate', '<certificate data>', 'must contain at least one CERTIFICATE PEM block');
}

function* verdictErrors(object: Fields, old: Fields, mayJudge: boolean): Generator<ComparingError> {
  for (const type of verdicts) {
    if (ofType(object, type).length >= ofType(old, type).length) continue;
    yield forbidden(conditionsAt, `updates may not remove a condition of type "${type}"`);
  }
  if (mayJudge) return;
  for (const type of ['Approved', 'Denied']) {
    const [now, before] = [ofType(object, type), ofType(old, type)];
    if (now.length > before.length) yield forbidden(conditionsAt, `updates may not add a condition of type "${type}"`);
    else if (now.length === before.length && !equal(now, before)) {
      const detail = `updates may not modify a condition of type "${type}"`;
      const compared = { type: '[certificates.CertificateSigningRequestCondition]', before, after: now };
      yield { ...forbidden(conditionsAt, detail), compared };
    }
  }
}

/** Validates CertificateSigningRequests; approvals and certificates are written to subresources. */
export const signingRequest: Check = function* (object, old, part) {
  yield* specErrors(fieldsOf(object.spec), fieldsOf(old?.spec));
  yield* conditionErrors(object);
  yield* certificateErrors(object, old);
  if (old === undefined) return;
  yield* verdictErrors(object, old, part === 'approval');
  const [now, before] = [object, old].map(({ status }) => fieldsOf(status).certificate);
  if (now === before) return;
  if (part !== 'status') yield forbidden('status.certificate', 'updates may not set certificate content');
  else if (before) yield forbidden('status.certificate', 'updates may not modify existing certificate content');
};
