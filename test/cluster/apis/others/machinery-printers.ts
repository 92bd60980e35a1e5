import type { Fields } from '../../apimachinery/object.ts';
import { fieldsOf } from '../../apimachinery/validation/checks.ts';
import { ageOf, count, nameOf, orNone, type Printer } from '../printing/printer.ts';

const conditionOf = ({ status }: Fields, type: string): Fields => {
  const { conditions } = fieldsOf(status);
  return (Array.isArray(conditions) ? (conditions as Fields[]) : []).find((one) => one.type === type) ?? {};
};

const number = (value: unknown): number | string => (typeof value === 'number' ? value : '<none>');

function availability(service: Fields): string {
  const { status, reason } = conditionOf(service, 'Available');
  if (status === undefined) return 'Unknown';
  return status === 'True' ? 'True' : `${status} (${reason})`;
}

/** Printers of API machinery kinds, by plural. */
export const machineryPrinters: Readonly<Record<string, Printer>> = {
  flowschemas: {
    columns: 'Name|PriorityLevel|MatchingPrecedence|DistinguisherMethod|Age|MissingPL',
    cells(object, ago) {
      const { priorityLevelConfiguration, matchingPrecedence, distinguisherMethod } = fieldsOf(object.spec);
      return [
        nameOf(object),
        String(fieldsOf(priorityLevelConfiguration).name ?? ''),
        count(matchingPrecedence),
        orNone(fieldsOf(distinguisherMethod).type),
        ageOf(object, ago),
        String(conditionOf(object, 'Dangling').status ?? '?'),
      ];
    },
  },
  prioritylevelconfigurations: {
    columns: 'Name|Type|NominalConcurrencyShares|Queues|HandSize|QueueLengthLimit|Age',
    cells(object, ago) {
      const { type, limited } = fieldsOf(object.spec);
      const { nominalConcurrencyShares, limitResponse } = fieldsOf(limited);
      const { queues, handSize, queueLengthLimit } = fieldsOf(fieldsOf(limitResponse).queuing);
      const limits = [nominalConcurrencyShares, queues, handSize, queueLengthLimit].map(number);
      return [nameOf(object), String(type ?? ''), ...limits, ageOf(object, ago)];
    },
  },
  apiservices: {
    columns: 'Name|Service|Available|Age',
    cells(object, ago) {
      const { namespace, name } = fieldsOf(fieldsOf(object.spec).service);
      const place = name === undefined ? 'Local' : `${namespace}/${name}`;
      return [nameOf(object), place, availability(object), ageOf(object, ago)];
    },
  },
};
