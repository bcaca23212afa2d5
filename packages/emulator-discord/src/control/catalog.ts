import { addBot, readBot, revokeBot, setBot } from "./bot-operations.ts";
import { alterChannel, createChannel, readChannel, setPermissions } from "./channel-operations.ts";
import { addUser, awaitChat, react, readChat, readChats, setDms } from "./chat-operations.ts";
import { awaitConnection, pushEvent, troubleGateway } from "./gateway-operations.ts";
import { addRole, changeMember, createGuild, readGuilds, setGuildOutage, setRules } from "./guild-operations.ts";
import { awaitAcknowledgement, awaitAnswer, press, useCommand } from "./interaction-operations.ts";
import { deleteLine, editLine, notice, say, unfurl } from "./line-operations.ts";
import { type ExposedOperation, exposeOperation } from "./operation.ts";
import {
  addFault,
  awaitCalls,
  awaitFault,
  clearFaults,
  passTime,
  readCounts,
  readRecord,
  removeFault,
} from "./record-operations.ts";
import { alterThread, changeThreadMember, startThread } from "./thread-operations.ts";

/** Everything that can be asked of an emulator over HTTP. */
export const OPERATIONS: readonly ExposedOperation[] = [
  exposeOperation(addBot),
  exposeOperation(readBot),
  exposeOperation(revokeBot),
  exposeOperation(setBot),
  exposeOperation(createChannel),
  exposeOperation(readChannel),
  exposeOperation(setPermissions),
  exposeOperation(alterChannel),
  exposeOperation(addUser),
  exposeOperation(setDms),
  exposeOperation(react),
  exposeOperation(readChat),
  exposeOperation(readChats),
  exposeOperation(awaitChat),
  exposeOperation(awaitConnection),
  exposeOperation(pushEvent),
  exposeOperation(troubleGateway),
  exposeOperation(addRole),
  exposeOperation(changeMember),
  exposeOperation(createGuild),
  exposeOperation(readGuilds),
  exposeOperation(setGuildOutage),
  exposeOperation(setRules),
  exposeOperation(unfurl),
  exposeOperation(notice),
  exposeOperation(say),
  exposeOperation(editLine),
  exposeOperation(deleteLine),
  exposeOperation(useCommand),
  exposeOperation(press),
  exposeOperation(awaitAcknowledgement),
  exposeOperation(awaitAnswer),
  exposeOperation(readRecord),
  exposeOperation(readCounts),
  exposeOperation(awaitCalls),
  exposeOperation(addFault),
  exposeOperation(removeFault),
  exposeOperation(clearFaults),
  exposeOperation(awaitFault),
  exposeOperation(passTime),
  exposeOperation(startThread),
  exposeOperation(alterThread),
  exposeOperation(changeThreadMember),
];
