package io.sdds.cli.chaos;

import io.sdds.cli.process.LocalCluster;
import io.sdds.cli.process.LocalCluster.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * All processes of a run: the coordinators, bricks and clients. All intended kills go through this class, so that it
 * can tell them from accidents. Thread-safe.
 */
final class Processes implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long CLIENT_END_MILLIS = 15_000;

    private final LocalCluster cluster;
    private final Path directory;
    private final Recorder recorder;
    private final List<ClientProcess> clients = new CopyOnWriteArrayList<>();
    private final List<String> accidents = new CopyOnWriteArrayList<>();
    private final Set<Long> killed = new HashSet<>();
    private List<String> clientArguments = List.of();
    private int clientNumbers;

    Processes(LocalCluster cluster, Path directory, Recorder recorder) {
        this.cluster = cluster;
        this.directory = directory;
        this.recorder = recorder;
    }

    void startCluster() throws IOException, InterruptedException {
        cluster.start(PATIENCE, this::ended);
    }

    /** Starts {@code count} clients with the same arguments. */
    void startClients(int count, List<String> arguments) throws IOException {
        clientArguments = arguments;
        for (int k = 0; k < count; k++) {
            startClient();
        }
    }

    private synchronized void startClient() throws IOException {
        clients.add(new ClientProcess(++clientNumbers, clientArguments, directory.resolve("clients.log"), recorder));
    }

    List<Member> coordinators() {
        return cluster.coordinators();
    }

    List<Member> bricks() {
        return cluster.members().stream()
                .filter(member -> !cluster.coordinators().contains(member))
                .toList();
    }

    List<ClientProcess> clients() {
        return clients;
    }

    long pid(Member member) {
        return cluster.pid(member);
    }

    void kill(Member member) {
        synchronized (killed) {
            killed.add(cluster.pid(member));
        }
        cluster.kill(member);
    }

    void restart(Member member) throws IOException {
        cluster.restart(member, this::ended);
    }

    /** Kills a client and starts another client in its place. */
    void replace(ClientProcess client) throws IOException {
        clients.remove(client);
        client.kill();
        startClient();
    }

    private void ended(Member member, long pid, int exitCode) {
        boolean onPurpose;
        synchronized (killed) {
            onPurpose = killed.remove(pid);
        }
        if (!onPurpose) {
            accidents.add(member.id() + " (process " + pid + ") ended by itself with code " + exitCode);
        }
    }

    /** Descriptions of the processes that ended by themselves. */
    List<String> accidents() {
        List<String> all = new ArrayList<>(accidents);
        clients.stream()
                .filter(ClientProcess::isDead)
                .forEach(
                        client -> all.add(client.name() + " ended by itself; see " + directory.resolve("clients.log")));
        return all;
    }

    /** Lets all clients finish their outstanding operations and end. */
    void endClients() throws InterruptedException {
        clients.forEach(ClientProcess::askToEnd);
        for (ClientProcess client : clients) {
            client.awaitEnd(CLIENT_END_MILLIS);
        }
        clients.clear();
    }

    @Override
    public void close() {
        clients.forEach(ClientProcess::kill);
        cluster.close();
    }
}
