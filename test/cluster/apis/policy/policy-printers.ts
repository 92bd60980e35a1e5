import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/checks.ts';
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
