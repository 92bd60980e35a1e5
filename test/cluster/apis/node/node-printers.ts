/** Columns of the kinds of the group, and their descriptions. */

import { type Printer, simple, text } from '../printing/printer.ts';

/** Printers of the kinds of the group, by plural. */
export const nodePrinters: Readonly<Record<string, Printer>> = {
  runtimeclasses: simple('Handler', ({ handler }) => [text(handler)]),
};

/** Descriptions of the columns, by `plural Column`. */
export const nodeColumnTexts: Readonly<Record<string, string>> = {
  'runtimeclasses Handler': '',
};
