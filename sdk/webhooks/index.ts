/**
 * Admission and conversion webhooks: `workspace-sequencer/sdk/webhooks`.
 *
 * @packageDocumentation
 */

export { type CertificateFilesOptions, certificateFiles } from './certificates/certificate-files.ts';
export type { CertificatePair, CertificateSource, CertificateUse } from './certificates/certificate-source.ts';
export { type OwnCertificatesOptions, ownCertificates } from './certificates/own-certificates.ts';
export { convertObject } from './conversion.ts';
export type {
  AdmissionContext,
  AdmissionRules,
  AdmissionVerdict,
  ConvertedObject,
  Converter,
  Defaulter,
  FieldMistake,
  LabelSelector,
  Spoke,
  Validator,
  Webhook,
} from './declarations.ts';
export { converter, defaulter, spoke, validator, webhookPath } from './declarations.ts';
export type {
  ConvertedDefinition,
  WebhookClientConfig,
  WebhookConfiguration,
  WebhookInstallation,
  WebhookService,
} from './installation.ts';
export { convertedDefinition, webhookConfigurations } from './installation.ts';
export { createWebhooks, type Webhooks, type WebhooksOptions } from './webhooks.ts';
