/** Schemas with rules of various costs. */

/** A list of items. */
export const array = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
/** An object with properties. */
export const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
/** Any text. */
export const text = { type: 'string' };
/** A schema's rule. */
export const rule = (expression: string, more: object = {}) => ({
  'x-kubernetes-validations': [{ rule: expression, ...more }],
});

/** Schemas with rules of high or low cost. */
export const priced: readonly (readonly [object, object?])[] = [
  [object({ a: text }, rule('self.a.matches("^a+$")'))],
  [object({ a: text }, rule('self.a.contains(self.a)'))],
  [object({ a: array(text) }, rule('self.a.all(x, x.startsWith("a"))'))],
  [object({ a: array(text) }, rule('self.a.all(x, self.a.all(y, x == y))'))],
  [object({ a: array(text, { maxItems: 10 }) }, rule('self.a.all(x, self.a.all(y, x == y))'))],
  [
    object(
      { a: array({ type: 'string', maxLength: 10 }, { maxItems: 100 }) },
      rule('self.a.all(x, self.a.all(y, x == y))'),
    ),
  ],
  [
    object(
      { a: array({ type: 'string', maxLength: 10 }, { maxItems: 1000 }) },
      rule('self.a.all(x, self.a.all(y, x == y))'),
    ),
  ],
  [object({ a: array({ type: 'integer' }) }, rule('self.a.all(x, self.a.all(y, x == y))'))],
  [object({ a: array({ type: 'integer' }) }, rule('self.a.isSorted()'))],
  [object({ a: array(text) }, rule('self.a.isSorted()'))],
  [object({ a: array(text) }, rule('self.a.join(",") == ""'))],
  [object({ a: array(object({ b: text }, rule('self.b.contains("aaaaaaaaaaaaaaaaaaaaaaa")'))) })],
  [object({ a: array(object({ b: text }, rule('self.b.size() < 5')), { maxItems: 1000 }) })],
  [object({ a: array(object({ b: text }, rule('self.b.matches("^a+$")')), { maxItems: 1000 }) })],
  [
    object({
      a: { type: 'object', additionalProperties: object({ b: text }, rule('self.b == "x" || self.b.matches("a")')) },
    }),
  ],
  [object({ a: { type: 'object', additionalProperties: { ...text, ...rule('self.matches("abc")') } } })],
  [
    object({
      a: { type: 'object', maxProperties: 10, additionalProperties: { ...text, ...rule('self.matches("abc")') } },
    }),
  ],
  [object({ a: text }, rule('self.a.split(",").all(x, x.size() < 3)'))],
  [object({ a: { type: 'string', maxLength: 100 } }, rule('self.a.split(",").all(x, x.size() < 3)'))],
  [object({ a: text }, rule('self.a.replace("a", "bb").size() < 3'))],
  [object({ a: text }, rule('self.a.replace("", "bb").contains("x")'))],
  [object({ a: text }, rule('self.a.find("[0-9]+") == ""'))],
  [object({ a: text }, rule('self.a.findAll("[0-9]+").all(x, x.matches("a"))'))],
  [object({ a: text }, rule('self.a.lowerAscii().upperAscii().trim().substring(1) == ""'))],
  [object({ a: { type: 'string', enum: ['one', 'three'] } }, rule('self.a.matches("^a+$")'))],
  [object({ a: { type: 'string', format: 'date-time' } }, rule('self.a.getHours() == 1'))],
  [object({ a: { 'x-kubernetes-int-or-string': true } }, rule('type(self.a) == string && self.a.matches("^a{200}$")'))],
  [object({ a: array(array(text)) }, rule('self.a.all(x, x.all(y, y == "a"))'))],
  [object({ a: array(array(text)) }, rule('self.a.map(x, x.size()).sum() < 10'))],
  [
    object(
      { a: array(object({ b: array(object({ c: array(text) })) })) },
      rule('self.a.all(x, x.b.all(y, y.c.all(z, z == "a")))'),
    ),
  ],
  [object({ a: text, b: text }, rule('self.a == self.b && self.a < self.b && (self.a + self.b).size() > 1'))],
  [object({ a: text }, rule('self.a in ["a", "b", "c"]'))],
  [object({ a: text, l: array(text) }, rule('self.a in self.l'))],
  [object({ a: text }, rule('quantity(self.a).isGreaterThan(quantity("1"))'))],
  [
    object(
      { a: text },
      rule('cidr(self.a).containsIP(ip(self.a)) && isURL(self.a) && url(self.a).getHost() == self.a'),
    ),
  ],
  [object({ a: array(text) }, rule('sets.contains(self.a, ["a", "b"]) && sets.equivalent(self.a, self.a)'))],
  [object({ a: text }, rule('format.dns1123Label().validate(self.a).hasValue()'))],
  [object({ a: array(text) }, rule('self.a.exists_one(x, self.a.filter(y, x == y).size() == 1)'))],
  [
    object(
      { a: { type: 'object', additionalProperties: text } },
      rule('self.a.all(k, self.a[k].size() < 3 && k.matches("a"))'),
    ),
  ],
  [
    object(
      { a: { type: 'object', additionalProperties: text } },
      rule('self.a.transformList(k, v, k + v).all(x, x.size() < 3)'),
    ),
  ],
  [object({ a: text }, rule('self.?a.orValue("").matches("a")'))],
  [object({ a: text }, rule('self.?a.optMap(x, x.matches("a")).orValue(true)'))],
  [object({ a: text }, rule('"%s-%s".format([self.a, self.a]).matches("a")'))],
  [object({ a: text }, rule('bytes(self.a).size() > 1 && string(bytes(self.a)).matches("a")'))],
  [object({ a: text }, rule('dyn(self.a).matches("a")'))],
  [object({ a: text }, rule('(self.a.size() > 1 ? self.a : "b").matches("a")'))],
  [object({ a: array(text) }, rule('(self.a + self.a).all(x, x == "a")'))],
  [object({ a: array(text) }, rule('self.a[0].matches("a") && [self.a[0], "b"].all(x, x.matches("a"))'))],
  [
    object(
      { a: array(text) },
      rule('self.a.size() < 3', { messageExpression: 'self.a.map(x, x + x).join(",").replace("a", "bbb")' }),
    ),
  ],
  [object({ a: array(text) }, rule('self.a.all(i, v, v.size() > i)'))],
  [
    object(
      { a: text, b: text, c: text },
      {
        'x-kubernetes-validations': ['a', 'b', 'c'].map((one) => ({
          rule: `self.${one}.matches('^a+$') || self.${one}.contains('bbbbbbbbbbbbbbbbbbbbbbb')`,
        })),
      },
    ),
  ],
  [
    object({
      a: array(
        object(
          { b: text },
          {
            'x-kubernetes-validations': [1, 2, 3, 4, 5].map((n) => ({
              rule: `self.b.size() == ${n} && self.b != "a" && self.b != "b"`,
            })),
          },
        ),
        { maxItems: 50_000 },
      ),
    }),
  ],
  [object({ a: text }, rule('true')), rule('self.metadata.name.size() < 10 && self.spec.a.matches("a")')],
];
