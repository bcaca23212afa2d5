/** Registered as a secret in every world. */
export const SECRET = "tok-5ecr3t-of-the-grove";
