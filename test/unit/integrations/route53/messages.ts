/** Requests and answers of the API of Route 53, as XML. */

import { all, at, type Element, parseXml, xml } from './xml.ts';
import type { AskedChange, Refusal, StoredSet } from './zone-rules.ts';
import { storedName } from './zone-rules.ts';

const number = (element: Element | undefined): number | undefined =>
  element === undefined ? undefined : Number(element.text);

/** Reads a set. */
function setIn(element: Element | undefined): StoredSet {
  const alias = at(element, 'AliasTarget');
  return {
    name: storedName(at(element, 'Name')?.text ?? ''),
    type: at(element, 'Type')?.text ?? '',
    ttl: number(at(element, 'TTL')),
    values: all(at(element, 'ResourceRecords'), 'ResourceRecord').map((record) => at(record, 'Value')?.text ?? ''),
    alias: alias && {
      zone: at(alias, 'HostedZoneId')?.text ?? '',
      name: storedName(at(alias, 'DNSName')?.text ?? ''),
      health: at(alias, 'EvaluateTargetHealth')?.text === 'true',
    },
    identifier: at(element, 'SetIdentifier')?.text,
  };
}

/** Reads the changes of a request. */
export const changesIn = (body: string): readonly AskedChange[] =>
  all(at(parseXml(body), 'ChangeBatch', 'Changes'), 'Change').map((change) => ({
    action: at(change, 'Action')?.text ?? '',
    set: setIn(at(change, 'ResourceRecordSet')),
  }));

/** Reads the sets of an answer. */
export const setsIn = (body: string): readonly StoredSet[] =>
  all(at(parseXml(body), 'ResourceRecordSets'), 'ResourceRecordSet').map(setIn);

/** Writes a set. */
export const setXml = ({ name, type, ttl, values, alias, identifier }: StoredSet): string =>
  xml('ResourceRecordSet', [
    xml('Name', name),
    xml('Type', type),
    xml('SetIdentifier', identifier),
    xml('TTL', ttl),
    ...(values.length > 0
      ? [
          xml(
            'ResourceRecords',
            values.map((value) => xml('ResourceRecord', [xml('Value', value)])),
          ),
        ]
      : []),
    ...(alias === undefined
      ? []
      : [
          xml('AliasTarget', [
            xml('HostedZoneId', alias.zone),
            xml('DNSName', alias.name),
            xml('EvaluateTargetHealth', alias.health),
          ]),
        ]),
  ]);

/** Answers with a document. */
export const answerOf = (document: string, status = 200): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${document}`, {
    status,
    headers: { 'content-type': 'text/xml' },
  });

/** Answers with a refusal. */
export const refusalAnswer = ({ code, message, status }: Refusal): Response =>
  answerOf(
    `<ErrorResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${xml('Error', [
      xml('Type', 'Sender'),
      xml('Code', code),
      xml('Message', message),
    ])}<RequestId>0</RequestId></ErrorResponse>`,
    status,
  );
