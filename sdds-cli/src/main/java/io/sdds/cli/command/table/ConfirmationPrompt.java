package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.terminal.Question;
import picocli.CommandLine.Option;

/**
 * Asks the user before a command destroys records. Scripts are not asked: the prompt appears only if standard input and
 * standard error are terminals and the user has not asked for a JSON document.
 */
final class ConfirmationPrompt {
    @Option(names = "--yes", description = "Do not ask for confirmation. Without a terminal, the command never asks.")
    private boolean yes;

    /** Whether {@link #require} asks the user. */
    boolean isAsked(CommandContext context) {
        return !yes && !context.json() && Question.canBeAsked(context.screen());
    }

    /**
     * Returns if the user agrees, or if the user is not asked.
     *
     * @param refused message of the failure
     * @throws CommandFailure if the user does not agree
     */
    void require(CommandContext context, String question, String refused) {
        if (isAsked(context) && !Question.isAnsweredYes(context.screen(), question)) {
            throw CommandFailure.failed(refused);
        }
    }
}
