/** Columns of the kinds of the group, and their descriptions. */

import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { type Printer, simple, text } from '../printing/printer.ts';

/** Printers of the kinds of the group, by plural. */
export const coordinationPrinters: Readonly<Record<string, Printer>> = {
  leases: simple('Holder', ({ spec }) => [text(fieldsOf(spec).holderIdentity)]),
};

/** Descriptions of the columns, by `plural Column`. */
export const coordinationColumnTexts: Readonly<Record<string, string>> = {
  'leases Holder':
    'holderIdentity contains the identity of the holder of a current lease. If Coordinated Leader Election is used, the holder identity must be equal to the elected LeaseCandidate.metadata.name field.',
};
