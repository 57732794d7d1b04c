#!/bin/sh
# In its own namespaces: makes a folder with a Debian the root, and runs its systemd as process 1.
set -eu
root="$1"
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
for name in null zero full random urandom tty; do
  touch "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
for name in dev/shm run tmp; do mount -t tmpfs tmpfs "$root/$name"; done
ip link set lo up
cd "$root"
mkdir -p old
pivot_root . old
umount -l /old
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /usr/lib/systemd/systemd </dev/null
