/** Columns of the kinds of the group, and their descriptions. */

import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/errors.ts';
import { ageOf, count, nameOf, type Printer } from '../printing/printer.ts';

const specOf = (object: Fields): Fields => fieldsOf(object.spec);
const statusOf = (object: Fields): Fields => fieldsOf(object.status);

const podDisruptionBudgets: Printer = {
  columns: 'Name|Min Available|Max Unavailable|Allowed Disruptions:integer|Age',
  cells: (object, ago) => [
    nameOf(object),
    String(specOf(object).minAvailable ?? 'N/A'),
    String(specOf(object).maxUnavailable ?? 'N/A'),
    count(statusOf(object).disruptionsAllowed),
    ageOf(object, ago),
  ],
};

/** Printers of the group, by plural. */
export const policyPrinters: Readonly<Record<string, Printer>> = { poddisruptionbudgets: podDisruptionBudgets };

/** Descriptions of the columns, by `plural Column`. */
export const policyColumnTexts: Readonly<Record<string, string>> = {
  'poddisruptionbudgets Allowed Disruptions': 'Calculated number of pods that may be disrupted at this time.',
  'poddisruptionbudgets Max Unavailable': 'The maximum number of pods that may be unavailable.',
  'poddisruptionbudgets Min Available': 'The minimum number of pods that must be available.',
};
