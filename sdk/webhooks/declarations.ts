/** Webhooks of kinds as data: validators, defaulters and converters. */

import type { Draft } from 'immer';
import { type Kind, resourceOf } from '../api/kind.ts';
import type { KubeObject, ObjectMeta } from '../api/object.ts';

/** Request that is being admitted. */
export interface AdmissionContext<T> {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Object before the change; undefined for CREATE. */
  readonly old: T | undefined;
  /** User who sent the request. */
  readonly user: { readonly username: string; readonly uid?: string; readonly groups: readonly string[] };
  /** True for a dry run: the handler must not change anything elsewhere. */
  readonly dryRun: boolean;
  /** Aborts when the API server has closed the connection or its timeout is over. */
  readonly signal: AbortSignal;
}

/** Invalid field of an object. */
export interface FieldMistake {
  /** Path of the field, such as `spec.hosts[0].name`. */
  readonly field: string;
  /** Found and expected value; cut to 1024 characters. */
  readonly message: string;
  /** Cause as in `status.details.causes`, such as FieldValueRequired. @default FieldValueInvalid */
  readonly reason?:
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueNotFound'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong';
}

/** Result of a validator; without errors and `denied` the request is admitted. */
export interface AdmissionVerdict {
  /** Refuses the request as Invalid (422), with these fields. @default none */
  readonly errors?: readonly FieldMistake[];
  /** Refuses the request as Forbidden (403), with this reason. @default not refused */
  readonly denied?: string;
  /** Warnings to the user, shown by kubectl as `Warning: …`; cut to 256 characters each and 4096 together. @default none */
  readonly warnings?: readonly string[];
}

/** Label selector of a webhook configuration. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

/** Default of `timeoutSeconds`. */
export const defaultTimeoutSeconds = 10;

/** Matched requests, failure policy and timeout of a webhook: fields of its webhook configuration. */
export interface AdmissionRules {
  /** @default CREATE and UPDATE */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
  /** Handling of requests without a response of the webhook: refused (`Fail`) or admitted (`Ignore`). @default 'Fail' */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Seconds that the API server waits for an answer, 1 to 30. @default 10 */
  readonly timeoutSeconds?: number;
  /** `NoneOnDryRun` for a handler that changes something elsewhere unless `dryRun` is set. @default 'None' */
  readonly sideEffects?: 'None' | 'NoneOnDryRun';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  /** CEL expressions that must all be true. */
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** Validating webhook of a kind. */
export interface Validator<T extends KubeObject = KubeObject> {
  readonly type: 'validate';
  readonly kind: Kind<T>;
  readonly rules: AdmissionRules;
  /** Validates an object; on DELETE the existing one. */
  handle(object: T, context: AdmissionContext<T>): AdmissionVerdict | undefined | Promise<AdmissionVerdict | undefined>;
}

/** Mutating webhook of a kind. */
export interface Defaulter<T extends KubeObject = KubeObject> {
  readonly type: 'default';
  readonly kind: Kind<T>;
  readonly rules: AdmissionRules;
  /** Changes the draft of an object. */
  handle(draft: Draft<T>, context: AdmissionContext<T>): void;
}

/** Converted object: labels and annotations replace the existing ones if present; other metadata is kept. */
export type ConvertedObject<T extends KubeObject> = Omit<T, 'apiVersion' | 'kind' | 'metadata'> & {
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>;
};

/** Version of a kind that is converted to and from the hub. */
export interface Spoke<Hub extends KubeObject = KubeObject, T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  toHub(object: T): ConvertedObject<Hub>;
  fromHub(object: Hub): ConvertedObject<T>;
}

/** Conversion webhook of a kind. */
export interface Converter<Hub extends KubeObject = KubeObject> {
  readonly type: 'convert';
  /** Version through which all others are converted. */
  readonly kind: Kind<Hub>;
  readonly spokes: readonly Spoke<Hub>[];
}

/** Webhook of a kind. */
export type Webhook = Validator | Defaulter | Converter;

/** Declares a validating webhook. The handler may be asynchronous; a thrown error is a failure, not a refusal. */
export const validator = <T extends KubeObject>(
  kind: Kind<T>,
  handle: Validator<T>['handle'],
  rules: AdmissionRules = {},
): Validator => ({ type: 'validate', kind, rules, handle }) as Validator;

/** Declares a mutating webhook: `handle` changes a draft, synchronously, and must be idempotent. */
export const defaulter = <T extends KubeObject>(
  kind: Kind<T>,
  handle: Defaulter<T>['handle'],
  rules: AdmissionRules = {},
): Defaulter => ({ type: 'default', kind, rules, handle }) as Defaulter;

/** Declares one version other than the hub. Both functions must be pure and, in both directions, lossless: an object is stored as converted. */
export const spoke = <Hub extends KubeObject, T extends KubeObject>(
  kind: Kind<T>,
  { toHub, fromHub }: Pick<Spoke<Hub, T>, 'toHub' | 'fromHub'>,
): Spoke<Hub, T> => ({ kind, toHub, fromHub });

/** Declares a conversion webhook: each spoke is converted to the hub and from it, so n versions need n - 1 pairs of functions. */
export const converter = <Hub extends KubeObject>(
  hub: Kind<Hub>,
  ...spokes: readonly Spoke<Hub>[]
): Converter<Hub> => ({ type: 'convert', kind: hub, spokes });

/** Path of a webhook, such as `/validate/sites.example.com`. */
export const webhookPath = ({ type, kind }: Webhook): string => `/${type}/${resourceOf(kind)}`;
