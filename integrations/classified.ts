/** Returns the operations of a third party with each error that they throw replaced: by a definite, a throttled or an ambiguous one. */
export const classified = <Operations extends object>(
  operations: Operations,
  errorOf: (error: unknown) => unknown,
): Operations =>
  new Proxy(operations, {
    get: (target, member) => {
      const operation: unknown = Reflect.get(target, member);
      if (typeof operation !== 'function') return operation;
      return async (...args: readonly unknown[]) => {
        try {
          return await operation.apply(target, args);
        } catch (error) {
          throw errorOf(error);
        }
      };
    },
  });
