/** Columns of the kinds of the group, and their descriptions. */

import { ageOf, count, nameOf, type Printer, text } from '../printing/printer.ts';

/** Printers of the kinds of the group, by plural. */
export const schedulingPrinters: Readonly<Record<string, Printer>> = {
  priorityclasses: {
    columns: 'Name|Value:integer|Global-Default:boolean|Age|PreemptionPolicy',
    cells: (object, ago) => [
      nameOf(object),
      count(object.value),
      object.globalDefault === true,
      ageOf(object, ago),
      text(object.preemptionPolicy),
    ],
  },
};

/** Descriptions of the columns, by `plural Column`. */
export const schedulingColumnTexts: Readonly<Record<string, string>> = {
  'priorityclasses Global-Default':
    'globalDefault specifies whether this PriorityClass should be considered as the default priority for pods that do not have any priority class. Only one PriorityClass can be marked as `globalDefault`. However, if more than one PriorityClasses exists with their `globalDefault` field set to true, the smallest value of such global default PriorityClasses will be used as the default priority.',
  'priorityclasses PreemptionPolicy':
    'preemptionPolicy is the Policy for preempting pods with lower priority. One of Never, PreemptLowerPriority. Defaults to PreemptLowerPriority if unset.',
  'priorityclasses Value':
    'value represents the integer value of this priority class. This is the actual priority that pods receive when they have the name of this class in their pod spec.',
};
