/** The build puts the text of the style sheet here. */
declare const css: string;
export default css;
