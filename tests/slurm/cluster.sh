# A Slurm of this one computer, for the suite that sources this and has set `shared`, a folder: a controller and the nodes n1, n2, which may
# do two things each and have a GPU each that is none, and `blind`, in a partition of that name, which sees nothing in that folder. No munge, no cgroups, nothing outside the
# suite's own folder.
#
# Each daemon is the first process of a namespace: whoever ends it ends its jobs as well, as a power cut would. It ends with this shell.
# shellcheck shell=sh

for program in slurmctld slurmd sbatch scontrol; do
    command -v $program >/dev/null || skip "needs $program (apt install slurm-wlm)"
done
[ "$(id -u)" = 0 ] || skip 'needs root: Slurm starts jobs as their users'
apart() { setpriv --pdeathsig KILL unshare --fork --pid --mount --mount-proc --kill-child "$@"; }
apart true 2>/dev/null || skip 'needs namespaces, which are forbidden here'

slurm=$folder/slurm
export SLURM_CONF="$slurm/slurm.conf"
daemons=''
daemon() { # COMMAND…: its number is in `started`
    setpriv --pdeathsig KILL unshare --fork --pid --mount --mount-proc --kill-child "$@" >>"$slurm/log" 2>&1 &
    started=$!
    daemons="$daemons $started"
}

# shellcheck disable=SC2086 # words
cluster_end() {
    [ -z "$daemons" ] || kill -9 $daemons 2>/dev/null
    wait
    daemons=''
}
trap 'cluster_end; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM HUP

configure() { # PORT: of this and the three behind it
    host=$(hostname -s)
    mknod "$slurm/gpu0" c 1 3 # as /dev/null
    echo "NodeName=n[1-2] Name=gpu Type=h200 File=$slurm/gpu0" >"$slurm/gres.conf"
    [ -d /sys/fs/cgroup ] || echo CgroupPlugin=disabled >"$slurm/cgroup.conf" # from Slurm 23.02 on; those before have no such word
    cat >"$SLURM_CONF" <<END
ClusterName=lab
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$1
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool/%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SwitchType=switch/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
KillWait=2
BatchStartTimeout=600
MessageTimeout=300
CommunicationParameters=EnableIPv6
TCPTimeout=60
GresTypes=gpu
NodeName=n[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$(($1 + 1))-$(($1 + 2))] CPUs=2 RealMemory=4096 Gres=gpu:h200:1
NodeName=blind NodeHostname=$host NodeAddr=127.0.0.1 Port=$(($1 + 3)) CPUs=2 RealMemory=4096
PartitionName=class Nodes=n[1-2] Default=YES MaxTime=60
PartitionName=blind Nodes=blind MaxTime=60
END
}

nodes_in() { $patience sinfo -h -N -o '%N %t' 2>/dev/null | sort -u | grep -c " $1\$"; } # STATE
patience=''

idle_or_ended() {
    for daemon in $daemons; do has_ended "$daemon" && return; done
    # A controller that ends just now would be asked for MessageTimeout.
    patience='timeout 20'
    [ "$(nodes_in idle)" = 3 ]
    set -- $?
    patience=''
    return "$1"
}

# Ports may be taken, which ends a daemon: then others.
cluster_begin() {
    for try in 1 2 3; do
        rm -rf "$slurm"
        mkdir -p "$slurm/state" "$slurm/spool" "$shared"
        configure $((20000 + 4 * (($$ + 2500 * try / 4) % 2500)))
        daemon slurmctld -D
        for node in n1 n2; do
            daemon slurmd -D -N $node
            eval "pid_of_$node=$started"
        done
        # shellcheck disable=SC2016 # expanded inside
        daemon sh -c 'mount -t tmpfs none "$1" && exec slurmd -D -N blind' sh "$shared"
        await 'three nodes are idle, or a daemon has ended' idle_or_ended
        [ "$(nodes_in idle)" != 3 ] || return 0
        cluster_end
    done
    tail -n 20 "$slurm/log"
    return 1
}

# Ends the node's daemon and jobs at once, and lets the controller know, which would else need its time to find out.
node_lost() { # NODE
    eval "kill -9 \$pid_of_$1"
    scontrol update NodeName="$1" State=DOWN Reason=lost
}
