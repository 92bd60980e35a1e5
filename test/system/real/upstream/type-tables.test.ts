import test from 'ava';
import { parseTypes } from '../../../cluster/resources/type-table.ts';
import type { GoField, GoStruct, GoType } from './facts.ts';
import { resourceTables } from './resource-tables.ts';
import { typeTables } from './type-tables.ts';

const path = 'k8s.io/api/shop/v1';
const text: GoType = { is: 'string' };
const size: GoType = { is: 'string', go: 'Size', package: path, enum: ['', 'large one', 'small'] };
const field = (name: string, type: GoType, more: Partial<GoField> = {}): GoField => ({
  name,
  type,
  omitEmpty: true,
  ...more,
});

const item: GoStruct = { package: path, name: 'Item', atomic: true, fields: [field('id', text, { protobuf: '1.2' })] };
const order: GoStruct = {
  package: path,
  name: 'Order',
  object: true,
  fields: [
    field('size', size, { required: true, omitEmpty: false, default: 'small' }),
    field(
      'items',
      { is: 'list', of: { is: 'struct', go: 'Item', package: path } },
      {
        patchStrategy: ['merge', 'retainKeys'],
        mergeKey: 'id',
        mapKeys: ['id', 'kind'],
      },
    ),
    field('notes', { is: 'map', of: text, go: 'Notes', package: path }, { protobuf: '5', pointer: true, atomic: true }),
    field('tags', { is: 'list', of: text }, { set: true }),
  ],
};

test('what is written as a table is read as it was', (t) => {
  const { 'shop/api-types.ts': file = '' } = typeTables([order, item]);
  const [, table = ''] = /export const shopTypes = `(.*)`/s.exec(file) ?? [];
  const types = parseTypes({ shop: { package: 'io.k8s.api.shop.v1', text: table } });
  t.true(types('shop.Item').atomic);
  t.is(types('shop.Item').fields.get('id')?.protobuf, '1.2');
  const { fields } = types('shop.Order');
  t.deepEqual([...fields.keys()], ['apiVersion', 'kind', 'size', 'items', 'notes', 'tags']);
  t.like(fields.get('size'), { required: true, whenEmpty: 'shown', default: 'small' });
  t.deepEqual(fields.get('size')?.type, {
    is: 'scalar',
    scalar: 'string',
    goName: 'v1.Size',
    enum: ['', 'large one', 'small'],
  });
  t.like(fields.get('items'), { mergeKey: 'id', retainKeys: true, listType: 'map', mapKeys: ['id', 'kind'] });
  t.like(fields.get('notes'), { isPointer: true, listType: 'atomic', type: { is: 'map', goName: 'v1.Notes' } });
  t.is(fields.get('tags')?.listType, 'set');
});

test('a kind and its subresources are one line', (t) => {
  const of = { group: 'shop.k8s.io', version: 'v1', kindGroup: 'shop.k8s.io', kindVersion: 'v1', kind: 'Order' };
  const parts = ['get', 'patch', 'update'];
  const scale = { kindGroup: 'autoscaling', kindVersion: 'v1', kind: 'Scale', verbs: parts };
  const { shop } = resourceTables([
    {
      ...of,
      path: 'orders',
      verbs: ['get', 'list'],
      namespaced: true,
      shortNames: ['o'],
      strategy: { generation: true },
      fieldLabels: ['spec.size', 'status.paid'],
      deprecation: 'shop.k8s.io/v1 Order is deprecated in v1.33+; use till.k8s.io/v1 Sale',
    },
    { ...of, path: 'orders/pay', kind: 'Payment', verbs: ['create'] },
    { ...of, path: 'orders/scale', ...scale },
    { ...of, path: 'orders/status', verbs: parts, strategy: { metadata: true } },
  ]);
  t.is(
    shop,
    `shop.k8s.io/v1
  Order orders -o !1.33,till.k8s.io/v1.Sale namespaced generation statusMetadata =get,list ?spec.size ?status.paid
    /pay(Payment:create) /scale /status`,
  );
  const unknown = { ...of, path: 'orders', verbs: ['get'], deprecation: 'orders are going' };
  t.throws(() => resourceTables([unknown]), { message: /orders are going/ });
});
