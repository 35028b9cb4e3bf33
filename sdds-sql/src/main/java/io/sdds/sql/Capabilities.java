package io.sdds.sql;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** What this driver says of itself where the engine would say something else. */
final class Capabilities {
    private Capabilities() {}

    /** The answer to a method of {@link java.sql.DatabaseMetaData}; null: the engine answers. */
    static @Nullable Object answer(String method) {
        return switch (method) {
            case "getDefaultTransactionIsolation" -> Connection.TRANSACTION_NONE;
            case "supportsTransactions",
                    "supportsTransactionIsolationLevel",
                    "supportsSavepoints",
                    "supportsMultipleTransactions",
                    "supportsStoredProcedures",
                    "storesUpperCaseIdentifiers",
                    "storesLowerCaseIdentifiers",
                    "storesUpperCaseQuotedIdentifiers",
                    "storesLowerCaseQuotedIdentifiers",
                    "supportsMixedCaseIdentifiers",
                    "supportsMixedCaseQuotedIdentifiers",
                    "dataDefinitionCausesTransactionCommit" -> false;
            case "storesMixedCaseIdentifiers",
                    "storesMixedCaseQuotedIdentifiers",
                    "supportsBatchUpdates",
                    "supportsGetGeneratedKeys" -> !method.equals("supportsGetGeneratedKeys");
            case "getDatabaseProductName" -> "SDDS";
            case "getIdentifierQuoteString" -> "\"";
            default -> null;
        };
    }
}
