/** A model cannot even be asked; trying again changes nothing. */
export class ModelUnavailable extends Error {
  constructor(model: string, problem: string, options?: { cause?: unknown }) {
    super(`The model ${model} was opened: ${problem}`, options);
    this.name = "ModelUnavailable";
  }
}
