import { accept } from "../answers/answer.ts";
import type { Method } from "./method.ts";

export const getMe: Method = ({ bot, read }) => read.refusal() ?? accept({ ...bot.profile, ...bot.abilities });
