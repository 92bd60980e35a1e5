/** Columns of the kinds of the group, and their descriptions. */

import { fieldsOf, listOf } from '../../apimachinery/validation/errors.ts';
import { labelsText, type Printer, simple, text } from '../printing/printer.ts';

/** Printers of the kinds of the group, by plural. */
export const admissionregistrationPrinters: Readonly<Record<string, Printer>> = {
  validatingwebhookconfigurations: simple('Webhooks:integer', ({ webhooks }) => [listOf(webhooks).length]),
  mutatingwebhookconfigurations: simple('Webhooks:integer', ({ webhooks }) => [listOf(webhooks).length]),
  validatingadmissionpolicies: simple('Validations:integer|ParamKind', ({ spec }) => {
    const { validations, paramKind } = fieldsOf(spec);
    const { apiVersion, kind } = fieldsOf(paramKind);
    return [listOf(validations).length, paramKind === undefined ? '<unset>' : `${apiVersion}/${kind}`];
  }),
  validatingadmissionpolicybindings: simple('PolicyName|ParamRef', ({ spec }) => {
    const { policyName, paramRef } = fieldsOf(spec);
    const { namespace, name, selector } = fieldsOf(paramRef);
    const shown = name === undefined ? labelsText(fieldsOf(selector).matchLabels) : `${namespace ?? '*'}/${name}`;
    return [text(policyName), paramRef === undefined ? '<unset>' : shown];
  }),
};

/** Descriptions of the columns, by `plural Column`. */
export const admissionregistrationColumnTexts: Readonly<Record<string, string>> = {
  'validatingadmissionpolicies ParamKind': 'ParamKind specifies the kind of resources used to parameterize this policy',
  'validatingadmissionpolicies Validations':
    'Validations indicates the number of validation rules defined in this configuration',
  'validatingadmissionpolicybindings ParamRef':
    'ParamRef indicates the param resource which sets the configration param',
  'validatingadmissionpolicybindings PolicyName':
    'PolicyName indicates the policy definition which the policy binding binded to',
};
