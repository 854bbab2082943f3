// Files that a visitor drops or opens: rules, and levels of video games.

/** Files of more bytes are not read: the server takes no more. */
const LARGEST = 256_000;

export interface Texts {
  rules?: string;
  level?: string;
  /** Why a file was not read. */
  refused?: { message: string; help: string };
}

/** The texts in some files. A file whose name says so is a level. */
export async function read(files: Iterable<File>): Promise<Texts> {
  const texts: Texts = {};
  for (const file of files) {
    if (file.size > LARGEST) {
      texts.refused = { message: `${file.name} is too large`, help: "At most 256 kB can be checked here" };
      continue;
    }
    const text = await file.text();
    if (/(lvl|level)_?\d*\.txt$/i.test(file.name)) texts.level = text;
    else texts.rules = text;
  }
  return texts;
}

/** The rules that are being written, kept while the page is open. */
export function keep(rules: string, level: string) {
  try {
    sessionStorage.setItem("rules", rules);
    sessionStorage.setItem("level", level);
  } catch {
    // Too large to be kept; it can be checked all the same.
  }
}
