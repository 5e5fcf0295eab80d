// @ts-check
/** Before anything runs: is every file there, and is it the one that the build made? */

/** @typedef {{name: string, bytes: number, integrity: string}} File a file's name, its size, and its hash as browsers write it */

/**
 * Fetch every file, and throw a sentence that names the first one that is missing or another.
 * @param {readonly File[]} files
 * @param {URL} base the folder in which they lie
 * @param {(bytes: number) => void} tell called with the size of each that is there
 */
export async function check(files, base, tell) {
  await Promise.all(files.map(async (file) => {
    const url = new URL(file.name, base);
    try {
      const response = await fetch(url, { integrity: file.integrity });
      if (!response.ok) throw new TypeError(String(response.status));
      await response.arrayBuffer();
    } catch {
      throw new Error(await reason(file, url));
    }
    tell(file.bytes);
  }));
}

/** Browsers give one error for a file that is not there and one that was changed. @param {File} file @param {URL} url */
async function reason({ name }, url) {
  const status = await fetch(url).then((response) => response.status, () => 0);
  if (status === 0) return `${name} could not be fetched: the server does not answer.`;
  if (status >= 400) return `${name} is missing: the server answers ${status}.`;
  return `${name} is not the file that was built: its fingerprint differs.`;
}
