/**
 * A plug-in for TypeDoc: what plain JSDoc says and TypeDoc drops.
 *
 * Types as the author wrote them: TypeScript forgets the names of types that are made from other types, and TypeDoc
 * would print the three hundred keys of a catalogue for every `Words`. Where none is written, what TypeScript found.
 * And the sentence above a `@typedef`: TypeDoc reads only what stands behind its name.
 */

import { Application, Comment, Converter, UnknownType } from "typedoc";
import ts from "typescript";

const LONGEST = 250;

/** @param {import("typedoc").Application} app */
export function load(app) {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue("blockTags", [...app.options.getValue("blockTags"), "@source"]);
  });
  const returned = new Map();
  app.converter.on(Converter.EVENT_CREATE_SIGNATURE, (_context, signature, declaration) => {
    returned.set(signature, declaration && ts.getJSDocReturnType(declaration));
  });
  app.converter.on(Converter.EVENT_RESOLVE_END, (context) => {
    for (const reflection of Object.values(context.project.reflections)) {
      const [declaration] = context.getSymbolFromReflection(reflection)?.declarations ?? [];
      const written = textOf(returned.get(reflection)) ?? (declaration && typeOf(declaration, reflection.name));
      if (reflection.type) reflection.type = new UnknownType(written ?? found(reflection.type));
      if (declaration && ts.isJSDocTypedefTag(declaration)) reflection.comment = commentAbove(declaration);
    }
  });
}

/** The type that stands in the JSDoc of a parameter, property, constant or name for a type. */
function typeOf(declaration, name) {
  const { typeExpression } = declaration;
  return textOf(typeExpression?.type ?? typeExpression ?? ts.getJSDocType(declaration)) ?? inClassComment(declaration, name);
}

/** The type that `@property {type} name …` above a class gives to something that its constructor sets. */
function inClassComment(declaration, name) {
  const owner = ts.findAncestor(declaration, ts.isClassDeclaration);
  const tags = owner ? ts.getJSDocTags(owner).filter((tag) => tag.tagName.text === "property") : [];
  const types = tags.map((tag) => /^\{(.+?)\} (\w+)/.exec(ts.getTextOfJSDocComment(tag.comment) ?? ""));
  return types.find((type) => type?.[2] === name)?.[1];
}

/** What TypeScript found; of a whole file of facts, only that it is an object. */
function found(type) {
  const text = String(type);
  return text.length > LONGEST ? "object" : text;
}

function textOf(node) {
  return node?.getText().replace(/\s*\n[\s*]*/g, " ");
}

function commentAbove(typedef) {
  return new Comment([{ kind: "text", text: ts.getTextOfJSDocComment(typedef.parent.comment) ?? "" }]);
}
