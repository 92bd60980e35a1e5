/** Wraps the operations of a third party so that they reject with the result of `errorOf`: a definite, a throttled or an ambiguous error. */
export const withClassifiedErrors = <Operations extends object>(
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
