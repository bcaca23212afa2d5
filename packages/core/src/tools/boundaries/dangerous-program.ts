import { basename } from "node:path";

/**
 * Programs that an agent has no errand for: what starts other programs from a text and so walks round each rule, what
 * changes who one is, what changes the machine, what ends processes that are not its own, what outlives the call.
 */
const DANGEROUS: ReadonlySet<string> = new Set(
  [
    "sh bash zsh dash ash ksh csh tcsh fish busybox toybox pwsh powershell cmd eval exec source",
    "env xargs nohup setsid timeout nice ionice stdbuf script watch parallel time flock chrt taskset command unbuffer expect",
    "sudo su doas pkexec runuser setpriv newgrp chroot unshare nsenter capsh gosu",
    "shutdown reboot halt poweroff init telinit systemctl service launchctl mount umount losetup swapoff sysctl",
    "mkfs fdisk sfdisk parted wipefs dd shred insmod rmmod modprobe iptables nft ip passwd useradd usermod userdel visudo",
    "kill killall pkill skill crontab at batch atd screen tmux dtach disown gdb strace ptrace ltrace",
    "ssh scp sftp telnet nc ncat netcat socat docker podman nerdctl kubectl lxc machinectl systemd-run",
  ].flatMap((line) => line.split(" ")),
);

/** What makes a program that is harmless by itself start another one, or take away far more than its words say. */
const DANGEROUS_ARGUMENTS: readonly (readonly [program: string, arguments: readonly string[]])[] = [
  ["find", ["-exec", "-execdir", "-ok", "-okdir", "-delete"]],
  ["git", ["-c", "--exec-path", "--upload-pack", "--receive-pack"]],
  ["rm", ["--no-preserve-root"]],
  ["tar", ["--to-command", "--checkpoint-action", "-I", "--use-compress-program"]],
];

export function isDangerousProgram([program = "", ...args]: readonly string[]): boolean {
  // `/bin/sh`, `SH` on a file system that knows no capitals, `mkfs.ext4`.
  const name = basename(program).toLowerCase();
  const stem = name.split(".")[0] ?? name;
  if (DANGEROUS.has(name) || DANGEROUS.has(stem)) return true;
  const signs = DANGEROUS_ARGUMENTS.find(([known]) => known === name)?.[1] ?? [];
  return args.some((arg) => signs.some((sign) => arg === sign || arg.startsWith(`${sign}=`)));
}
