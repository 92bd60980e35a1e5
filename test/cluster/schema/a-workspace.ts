import type { Structural } from './structural.ts';

/** Schema with all features, for tests. */
export const aWorkspace: Structural = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['owner'],
      properties: {
        owner: { type: 'string', minLength: 2, maxLength: 20, pattern: '^[a-z][a-z0-9-]*$' },
        replicas: { type: 'integer', default: 1, minimum: 0, maximum: 100 },
        minReplicas: { type: 'integer' },
        size: { type: 'string', enum: ['small', 'large'], default: 'small' },
        region: {
          type: 'string',
          'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'region is immutable' }],
        },
        quota: { 'x-kubernetes-int-or-string': true },
        nickname: { type: 'string', nullable: true },
        tags: { type: 'object', additionalProperties: { type: 'string' } },
        zones: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' }, maxItems: 5 },
        members: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              role: { type: 'string', default: 'viewer' },
              weight: { type: 'integer' },
            },
          },
        },
        settings: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { strict: { type: 'object', properties: { a: { type: 'string' } } } },
        },
        template: {
          type: 'object',
          'x-kubernetes-embedded-resource': true,
          'x-kubernetes-preserve-unknown-fields': true,
        },
        when: { type: 'string', format: 'date-time' },
      },
      'x-kubernetes-validations': [
        {
          rule: '!has(self.minReplicas) || self.minReplicas <= self.replicas',
          message: 'minReplicas must not exceed replicas',
        },
      ],
    },
    status: { type: 'object', properties: { count: { type: 'integer' } } },
  },
};
