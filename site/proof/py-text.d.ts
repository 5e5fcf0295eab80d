/** esbuild gives a file of Python as its text. */
declare module "*.py" {
  const text: string;
  export default text;
}
