/** What a strategic merge patch has to know of one field. */
export interface PatchField {
  /** The shape of the field's value, or of the items of its list; undefined for scalars and free-form values. */
  readonly shape?: PatchShape;
  /** Whether the field is a list. */
  readonly list: boolean;
  /** Lists only: whether items are merged (by `mergeKey`, or as a set of scalars when there is none) instead of replaced. */
  readonly merge: boolean;
  readonly mergeKey?: string;
}

/** The fields of an object, as strategic merge patches see them. */
export interface PatchShape {
  /** Undefined for unknown fields. */
  field(name: string): PatchField | undefined;
}
