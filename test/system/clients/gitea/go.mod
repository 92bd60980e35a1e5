module workspace-sequencer/test/clients/gitea

go 1.26.2

require code.gitea.io/gitea v1.26.0
