package io.sdds.bench.jdbc;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Does the same work with the client of SDDS, without SQL. Threads share the client, as connections of the driver do.
 */
final class TableOperations implements Operations {
    private static final String INCREMENT = "balance = balance + 1";

    private final HashTable<Long, Account> accounts;
    private final HashTable<Long, Branch> branches;

    /** The columns of an account that are not in its key. */
    record Account(String owner, long branch, long balance) {}

    record Branch(String name) {}

    TableOperations(SddsClient client) {
        accounts = client.hashTable(Accounts.TABLE, Codec.int64(), Codec.ofRecord(Account.class));
        branches = client.hashTable(Accounts.BRANCHES_TABLE, Codec.int64(), Codec.ofRecord(Branch.class));
    }

    @Override
    public void run(Work work, long key) throws SQLException {
        boolean isRight = switch (work) {
            case SELECT -> isOf(key, accounts.get(key));
            case UPDATE -> accounts.update(key, INCREMENT);
            case INSERT -> accounts.putIfAbsent(key, account(key));
            case JOIN -> {
                Account account = accounts.get(key);
                yield account != null && branches.get(account.branch()) != null;
            }
        };
        if (!isRight) {
            throw new SQLException(work.text() + " of account " + key + " has a wrong result");
        }
    }

    private static boolean isOf(long key, @Nullable Account account) {
        return account != null && account.branch() == Accounts.branch(key);
    }

    private static Account account(long key) {
        return new Account(Accounts.owner(key), Accounts.branch(key), 0);
    }

    @Override
    public void insertBatch(long firstKey, int count) throws SQLException {
        List<CompletableFuture<Boolean>> writes = new ArrayList<>(count);
        for (int k = 0; k < count; k++) {
            writes.add(accounts.putIfAbsentAsync(firstKey + k, account(firstKey + k)));
        }
        for (CompletableFuture<Boolean> write : writes) {
            if (!write.join()) {
                throw new SQLException("an account of a batch from " + firstKey + " on exists");
            }
        }
    }

    @Override
    public void close() {
        // the client has another owner
    }
}
