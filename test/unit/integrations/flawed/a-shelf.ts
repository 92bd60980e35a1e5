/** A third party that keeps books. */

/** A stored book. */
interface Book {
  readonly id: string;
  readonly title: string;
  owner: string;
  stamped: boolean;
}

/** Options of a call. */
export interface Ask {
  readonly signal?: AbortSignal;
}

/** A third party that keeps books; titles are unique, except for added ones. */
export function aShelf() {
  const books: Book[] = [];
  let count = 0;
  const add = async (title: string, owner: string, _?: Ask): Promise<string> => {
    count += 1;
    books.push({ id: `book-${count}`, title, owner, stamped: false });
    return `book-${count}`;
  };
  const drop = (goes: (book: Book) => boolean): void => {
    for (const book of books.filter(goes)) books.splice(books.indexOf(book), 1);
  };
  return {
    books,
    add,
    /** Sets the title of the owner's one book; undefined when the title belongs to another owner. */
    async keep(title: string, owner: string, _?: Ask): Promise<string | undefined> {
      const there = books.find((book) => book.title === title);
      if (there !== undefined && there.owner !== owner) return undefined;
      drop((book) => book.owner === owner && book.title !== title);
      return there?.id ?? add(title, owner);
    },
    async find(owner: string, _?: Ask): Promise<string | undefined> {
      return books.find((book) => book.owner === owner)?.id;
    },
    /** Transfers everything of these owners to this one. */
    async handOver(former: readonly string[], owner: string, _?: Ask): Promise<void> {
      for (const book of books) if (former.includes(book.owner)) book.owner = owner;
    },
    async stamp(id: string, _?: Ask): Promise<void> {
      for (const book of books) if (book.id === id) book.stamped = true;
    },
    async seize(title: string, _?: Ask): Promise<void> {
      drop((book) => book.title === title);
    },
    async remove(id: string, _?: Ask): Promise<void> {
      drop((book) => book.id === id);
    },
    async clear(owner: string, _?: Ask): Promise<void> {
      drop((book) => book.owner === owner);
    },
  };
}

/** The third party. */
export type Shelf = ReturnType<typeof aShelf>;
